// An element as XML, which is what the rasteriser reads: the page's own elements print themselves as HTML.
// Comments and processing instructions are left out; Plotly makes none.

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character]);
}

function serialize(node: Node): string {
  if (node.nodeType === node.TEXT_NODE) return escaped(node.nodeValue ?? "");
  if (node.nodeType !== node.ELEMENT_NODE) return "";
  const { localName, attributes, childNodes } = node as Element;
  const written = Array.from(attributes, ({ name, value }) => ` ${name}="${escaped(value)}"`).join("");
  const inside = Array.from(childNodes, serialize).join("");
  return inside ? `<${localName}${written}>${inside}</${localName}>` : `<${localName}${written}/>`;
}

/** The browser's class of that name, as far as Plotly uses it. */
export class XMLSerializer {
  serializeToString(node: Node): string {
    return serialize(node);
  }
}
