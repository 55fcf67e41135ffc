import { defineConfig, type ViteUserConfig } from "vitest/config";

// What needs a browser: run by `npm run test:browser`, left out of `npm test`.
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/browser/**/*.browser.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});

export default config;
