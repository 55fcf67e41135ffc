/** Text → HTML that shows it, in an element or in a quoted attribute. */

const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** @returns the text with the five characters that mean something in HTML written as references */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => names[character]);
}
