// headView: queries on the left, keys on the right, and between them a ribbon as thick as its weight.
//
// The view of tensor2tensor and BertViz, made of Plotly's own parts: the legend switches heads, a menu (and, in the figure's own
// page, the pointer) follows one query, the pointer one key, and a token says on hover where it looks, head by head. To be read at
// first sight it starts with as many heads as stay apart and with each head's heaviest links; how much of the weight they hold is
// said under the picture and in the alt text.

import type { NDArrayLike } from "../array/array.js";
import type { Figure } from "../display/figure.js";
import { batchMenu } from "./batch-menu.js";
import { labelLimit, layOutHeadView } from "./head-view-layout.js";
import { altText, describeOdd, describeShown, portWords } from "./head-view-words.js";
import { label } from "./labels.js";
import { heaviest, type Links } from "./links.js";
import { headColor, headColors, ink, softInk, wrong } from "./palette.js";
import { type Outlines, outline, withoutPointer } from "./ribbons.js";
import { menu, type Part, Sheet, wrap } from "./sheet.js";
import type { Shown } from "./shown.js";
import { readWeights, type WeightFigureOptions, type Weights } from "./weights.js";

const action = "draw the head view";
const mostTokens = 48;
const mostHeads = 64;
/** The ribbons of one batch, and the most of all batches together that Plotly's JSON has as well. */
const fairRibbons = 256;
/** The ribbons of all heads and batches, and of one head, where only so many show links that weigh the same. */
const mostRibbons = 512;
const mostOfHead = 160;
const mostInJson = 64;
/** So many batches that cells times tokens with a port stay below this: a batch weighs as its cells, the figure as its ports. */
const mostWeight = 525_000;
/** The ribbons that are told apart at first sight. */
const legibleRibbons = 48;
/** The most traces that follow one query each; beyond, a head is one trace and there is no menu of queries. */
const mostFollowed = 256;
/** So few heads share the first sight; of more, the first start switched on, as many as stay apart. */
const fewHeads = 3;
/** The ports of heads 0 to 7, of heads 8 to 15 and so on, which have the same colours. */
const symbols = ["square", "diamond", "circle", "triangle-up", "cross", "star", "hexagon", "triangle-down"];
/** The opacity of a ribbon among others, when its query is followed, and when another is. */
const together = 0.6;
const alone = 0.9;
const faint = 0.07;
/** What all ribbons have in common, and what a port has instead; every trace that does not say otherwise is a ribbon. */
const ribbon = {
  mode: "lines",
  fill: "toself",
  line: { width: 0, simplify: false },
  opacity: together,
  hoverinfo: "skip",
  showlegend: false,
};
const port = { mode: "markers", fill: "none", opacity: 1, hoverinfo: "all", showlegend: true, zorder: 1 };

/**
 * Attention weights as ribbons from queries (left) to keys (right), one colour a head, as thick as the weight.
 *
 * @param weights shape (B, H, T, T); (H, T, T) and (T, T) are read as one batch, one head
 * @param options `tokens` for both sides; `batch` and `heads` to show
 * @returns a figure; where it is live, the legend switches heads, one menu follows a query and another changes the batch, and
 *   a token, query or key, is followed on hover and says what it looks at or is seen by
 * @throws ValueError if weights has another rank or is empty, if batch or heads is out of range or repeated, or if a token is
 *   missing
 * @throws TypeError if weights is not an array of numbers, a token is not a string, or an option has another name
 * @example
 * headView([[0.9, 0.1], [0.5, 0.5]], { tokens: ["a", "b"] }); // a thick ribbon from a to a, a thin one from a to b
 */
export function headView(weights: NDArrayLike, options: WeightFigureOptions = {}): Figure {
  const given = readWeights(action, weights, options);
  const rows = Math.min(given.array.shape[2], mostTokens);
  const columns = Math.min(given.array.shape[3], mostTokens);
  const heads = given.heads.slice(0, mostHeads);
  const fair = Math.floor(fairRibbons / heads.length);
  const legible = Math.max(2 * rows, legibleRibbons);
  const most = Math.floor(legible / (heads.length <= fewHeads ? heads.length : 1));
  const ribbons = Math.min(rows * columns, most, Math.max(2 * rows, fair));
  const ports = heads.length * rows;
  const batches = given.batches.slice(0, Math.max(1, Math.floor(mostWeight / (ports * ports * columns))));
  return draw(given, { batches, heads, rows, columns, ribbons });
}

/** The ribbons of one trace: those of a head, or of one query in it. */
interface Group {
  readonly at: number;
  readonly query?: number;
}

/** The part of the weights that is shown, and the most ribbons of a head. */
interface ShownRibbons extends Shown {
  readonly ribbons: number;
}

function draw(given: Weights, shown: ShownRibbons): Figure {
  const { batches, heads, rows, columns } = shown;
  const [first] = batches;
  const share = Math.floor(mostRibbons / (heads.length * batches.length));
  const mostAlike = Math.max(shown.ribbons, Math.min(mostOfHead, share));
  const links = batches.map((batch) =>
    heads.map((head) => heaviest(given.array.at(batch, head), rows, columns, shown.ribbons, mostAlike)),
  );
  const queries = batches.map((batch) => given.queries[batch].slice(0, rows));
  const keys = batches.map((batch) => given.keys[batch].slice(0, columns));
  const title = `Attention by head${batches.length === 1 && given.array.shape[0] > 1 ? `, batch ${first}` : ""}`;
  const layout = layOutHeadView({ title, severalBatches: batches.length > 1, queries, keys, heads: heads.length });
  const { width, top, step, bottom, left, right, apart, height } = layout;

  // Where there are not too many, each query of a head has a trace of its own, so that it can be followed.
  const followed = rows > 1 && heads.length * rows <= mostFollowed;
  const groups = heads.flatMap((_, at): Group[] =>
    followed ? Array.from({ length: rows }, (_, query) => ({ at, query })) : [{ at }],
  );
  // What the pointer on a port follows: a button of the menu of queries, or from there on a key.
  const keyName = (j: number): number => rows + 1 + j;
  const outlines = (b: number, { at, query }: Group): Outlines => {
    const { drawn } = links[b][at];
    return outline(query === undefined ? drawn : drawn.filter(({ i }) => i === query), at, layout, keyName);
  };

  const seen = heads.length <= fewHeads ? heads.length : countSeen(links[0]);
  const visibility = (at: number): Part => (at < seen ? {} : { visible: "legendonly" });
  const sheet = new Sheet();
  const told = (b: number, at: number): string[] => portWords(given, shown, batches[b], heads[at]);
  // Head by head: its ribbons, then its ports.
  const portPlaces = (at: number): Outlines => ({
    x: [...queries[0].map(() => left), ...keys[0].map(() => right)],
    y: [...queries[0].map((_, i) => height(i, at)), ...keys[0].map((_, j) => height(j, at))],
  });
  const ofHead = (at: number): Group[] => groups.filter((group) => group.at === at);
  heads.forEach((head, at) => {
    for (const group of ofHead(at)) {
      sheet.draw({
        ...outlines(0, group),
        fillcolor: headColor(head),
        legendgroup: String(head),
        ...visibility(at),
      });
    }
    sheet.draw({
      ...port,
      name: `head ${head}`,
      ...portPlaces(at),
      marker: {
        symbol: symbols[Math.floor(head / headColors.length) % symbols.length],
        size: Math.max(4, Math.min(8, apart || 8)),
        color: headColor(head),
        line: { width: 0 },
      },
      hovertext: told(0, at),
      customdata: [...queries[0].map((_, i) => (followed ? i + 1 : null)), ...keys[0].map((_, j) => keyName(j))],
      hovertemplate: `head ${head}<br>%{hovertext}<extra></extra>`,
      legendgroup: String(head),
      ...visibility(at),
    });
  });

  sheet.write(title, 16, 21, { size: 16 });
  sheet.write("From each query to the keys it looks at: the thicker, the more.", 16, 56, { color: softInk });
  sheet.write("query", left - 14, top - 10, { color: softInk, align: "right" });
  sheet.write("key", right + 14, top - 10, { color: softInk });
  for (let i = 0; i < rows; i++) {
    const texts = queries.map((tokens) => label(tokens[i], labelLimit));
    sheet.writeEach(texts, left - 14, top + (i + 0.5) * step, { align: "right" });
  }
  for (let j = 0; j < columns; j++) {
    const texts = keys.map((tokens) => label(tokens[j], labelLimit));
    sheet.writeEach(texts, right + 14, top + (j + 0.5) * step);
  }

  // Under the ribbons: the legend, then what is not shown.
  const notes = batches.map((_, b) => describeShown(given, shown, seen, links[b]));
  const noteLines = notes.map((some) => some.flatMap((note) => wrap(note, width - 32, 11)));
  const odd = describeOdd(given, shown);
  const longestNote = Math.max(...noteLines.map((lines) => lines.length));
  const perLine = Math.max(1, Math.floor((width - 24) / 101));
  const legendRoom = 29 * Math.ceil(heads.length / perLine) + 12;
  const legendEnd = bottom + 24 + legendRoom;
  const noteTop =
    odd === "" ? legendEnd : sheet.paragraph(odd, 16, legendEnd, width - 32, { color: wrong, size: 11 }) + 2;
  for (let at = 0; at < longestNote; at++) {
    const texts = noteLines.map((lines) => lines[at] ?? "");
    sheet.writeEach(texts, 16, noteTop + 18 * at, { color: softInk, size: 11 });
  }
  const total = Math.round(noteTop + 18 * longestNote);
  const choices = batches.map((batch, b) => {
    const all = heads.flatMap((_, at) => [...ofHead(at).map((group) => outlines(b, group)), portPlaces(at)]);
    return {
      batch,
      args: [
        {
          x: all.map(({ x }) => x),
          y: all.map(({ y }) => y),
          hovertext: heads.flatMap((_, at) => [...ofHead(at).map(() => null), told(b, at)]),
        },
        sheet.changes(b),
      ],
    };
  });
  // Plotly repeats a short list over the traces: in each head a ribbon of each query, then the ports.
  const queryButtons = [undefined, ...queries[0].keys()].map((query) => ({
    label: query === undefined ? "all queries" : layout.queryLabels[query],
    method: "restyle",
    args: [
      {
        opacity: [
          ...Array.from({ length: rows }, (_, i) => (query === undefined ? together : i === query ? alone : faint)),
          port.opacity,
        ],
      },
    ],
  }));
  const heavy = heads.length * shown.ribbons * batches.length > mostInJson;
  const choice = batchMenu(choices, { left: layout.batchMenu, top: 4, width, height: total }, heavy);
  const followers = followed ? [menu(queryButtons, { left: layout.queryMenu, top: 4, width, height: total })] : [];
  const menus = [...(batches.length > 1 ? [choice.menu] : []), ...followers];
  return sheet.toFigure(
    width,
    total,
    altText(given, shown, seen, links[0], [...(odd === "" ? [] : [odd]), ...notes[0]]),
    {
      showlegend: true,
      traces: { scatter: [ribbon] },
      dataInJson: sheet.data.map(withoutPointer),
      hoverdistance: 30,
      legend: {
        orientation: "h",
        x: 12 / width,
        xanchor: "left",
        y: 1 - (bottom + 14) / total,
        yanchor: "top",
        entrywidth: 56,
        entrywidthmode: "pixels",
        itemsizing: "constant",
        bgcolor: "rgba(0,0,0,0)",
        font: { size: 12, color: ink },
      },
      ...(menus.length > 0 ? { updatemenus: menus } : {}),
      ...(batches.length > 1 ? { menusInJson: [choice.inJson, ...followers] } : {}),
      // What is hovered is followed: a query by its button of the menu, a key by its name.
      meta: { hoverMenu: followed ? menus.length - 1 : -1 },
    },
  );
}

/** How many heads, from the first on, are told apart together: one at least. */
function countSeen(heads: readonly Links[]): number {
  let ribbons = 0;
  const beyond = heads.findIndex(({ drawn }) => {
    ribbons += drawn.length;
    return ribbons > legibleRibbons;
  });
  return beyond < 0 ? heads.length : Math.max(1, beyond);
}
