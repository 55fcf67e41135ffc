// What of WebAssembly's interface to JavaScript is used here. Node has it; TypeScript describes it only with the browser's.

/** What the module gives; see assembly/index.ts. */
export interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  heapBase(): number;
  attend(...sizesAndAddresses: readonly number[]): void;
  exponentials(row: number, end: number, scratch: number, sums: number): void;
}

/** What the module calls; see assembly/head.ts. Addresses are in bytes, and signed. */
export interface Rescue {
  weights(b: number, h: number, i: number, strip: number, inverse: number): void;
  sums(b: number, h: number, i: number, strip: number, sums: number): void;
}

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { rescue: Rescue }) => { exports: unknown };
};

/** @throws where WebAssembly with SIMD is missing */
export function instantiate(bytes: Uint8Array, rescue: Rescue): Exports {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { rescue }).exports as Exports;
}
