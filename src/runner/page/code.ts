/** Code → HTML in colour, by highlight.js. */

import hljs from "highlight.js";
import { escapeHtml } from "./escape.js";

/**
 * Code with its words marked for the page's style.
 *
 * @param code any text
 * @param language its name as notebooks and markdown have it; a name that is not known leaves the code plain
 * @returns HTML for the inside of a `code` element
 */
export function highlight(code: string, language: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : escapeHtml(code);
}
