// What headView says in words: under the picture, on hover, and in the alt text.

import type { Links } from "./links.js";
import { exact, weightText } from "./numbers.js";
import { findOddities } from "./odd-weights.js";
import { describeLeftOut, type Shown } from "./shown.js";
import { strongestOfQuery, tokenName } from "./strongest.js";
import { place, type Weights } from "./weights.js";
import { many, named } from "./words.js";

/** From this share on the drawn ribbons hold nearly all of a head's weight. */
const nearlyAll = 0.9;

/** What a softmax never gives, and how it is drawn. */
export function describeOdd({ array }: Weights, { batches, heads }: Shown): string {
  const { note, beyond } = findOddities(batches.flatMap((batch) => heads.map((head) => array.at(batch, head))));
  return `${note}${beyond ? " A ribbon ends at a weight of 1.5, and there is none below 0." : ""}`;
}

/** What the picture does not show at first, or at all. */
export function describeShown(given: Weights, shown: Shown, seen: number, links: readonly Links[]): string[] {
  const leftOut = describeLeftOut(given, shown);
  return [
    ...(seen < shown.heads.length
      ? [
          `Only ${seen === 1 ? `head ${shown.heads[0]} is` : `the first ${seen} heads are`} switched on at first; the legend switches the others.`,
        ]
      : []),
    ...describeEven(shown.heads, links),
    ...describeShares(shown, links),
    ...(leftOut === "" ? [] : [leftOut]),
    ...(shown.batches.every((b) => shown.heads.every((h) => given.array.at(b, h).data.every(Number.isFinite)))
      ? []
      : ["A weight that is not finite has no ribbon."]),
  ];
}

/** The heads that look everywhere alike. */
function describeEven(heads: readonly number[], links: readonly Links[]): string[] {
  const even = heads.filter((_, at) => links[at].even);
  if (even.length === 0) return [];
  const drawn = links.every(({ even, drawn }) => !even || drawn.length > 0);
  const [are, whose] = even.length === 1 ? ["is", "Its"] : ["are", "Their"];
  return [
    `${named("Head", even)} ${are} even: each query looks at all keys alike.${drawn ? "" : ` ${whose} lines are not drawn.`}`,
  ];
}

/** How much of the weight the lines hold, where that is not nearly all of it. */
function describeShares({ heads }: Shown, links: readonly Links[]): string[] {
  const partly = heads
    .map((head, at) => ({ head, percent: Math.round(100 * links[at].share), ...links[at] }))
    .filter(({ share, even, drawn }) => share < nearlyAll && !(even && drawn.length === 0));
  if (partly.length === 0) return [];
  const percents = partly.map(({ percent }) => percent);
  const [least, most] = [Math.min(...percents), Math.max(...percents)];
  const bare = Math.max(...partly.map(({ withoutLink }) => withoutLink));
  const without = bare === 0 ? "" : ` A query without a line gives no key more than ${weightText(bare)}.`;
  if (partly.length > 8) return [`The lines drawn hold ${least} to ${most} % of a head's weight.${without}`];
  const each = partly.map(({ head, percent }) => `${percent}\u00A0% in head\u00A0${head}`);
  return [`The lines drawn hold part of the weight: ${each.join(", ")}.${without}`];
}

/** What each port of a head says on hover: a query where it looks, then each key by whom it is seen. */
export function portWords({ array, queries, keys }: Weights, shown: Shown, batch: number, head: number): string[] {
  const { batches, heads, rows, columns } = shown;
  const ports = heads.length * rows * batches.length;
  const listed = ports <= 32 ? 6 : ports <= 64 ? 3 : ports <= 128 ? 2 : 1;
  const most = listed > 1 ? "" : " most";
  const list = (title: string, names: readonly string[], value: (at: number) => number): string => {
    const values = Float64Array.from(names, (_, at) => value(at));
    return [
      title,
      ...largest(values, listed).map((at) => `${decimals(values[at])}  ${place(at, names[at], 24)}`),
      ...(values.length > listed && listed > 1 ? [`and ${values.length - listed} more`] : []),
    ].join("<br>");
  };
  const weight = (i: number, j: number): number => array.get(batch, head, i, j);
  const rowNames = queries[batch].slice(0, rows);
  const columnNames = keys[batch].slice(0, columns);
  return [
    ...rowNames.map((name, i) => list(`query ${place(i, name)} looks${most} at`, columnNames, (j) => weight(i, j))),
    ...columnNames.map((name, j) => list(`key ${place(j, name)} is seen${most} by`, rowNames, (i) => weight(i, j))),
  ];
}

/** The positions of the largest numbers of a row, largest first; what is not finite comes last. */
function largest(row: Float64Array, count: number): number[] {
  const rank = (at: number): number => (Number.isFinite(row[at]) ? row[at] : Number.NEGATIVE_INFINITY);
  return Array.from(row.keys())
    .sort((a, b) => rank(b) - rank(a) || a - b)
    .slice(0, count);
}

function decimals(value: number): string {
  return Number.isFinite(value) ? value.toFixed(4) : exact(value);
}

/** The whole in words, for who cannot see the picture. */
export function altText(
  { array, queries, keys }: Weights,
  { batches, heads, rows, columns }: Shown,
  seen: number,
  links: readonly Links[],
  notes: readonly string[],
): string {
  const [batch] = batches;
  const looks = Array.from({ length: Math.min(rows, 4) }, (_, i) => {
    const row = Float64Array.from({ length: columns }, (_, j) => array.get(batch, heads[0], i, j));
    return strongestOfQuery(tokenName(queries[batch], i), row, keys[batch]);
  });
  return [
    `Ribbons from ${many(rows, "query", "queries")} to ${many(columns, "key")} for ` +
      `${seen === heads.length ? "" : `${seen} of `}${many(heads.length, "head")}${array.shape[0] > 1 ? `, batch ${batch}` : ""}.`,
    ...(links[0].even ? [] : [`In head ${heads[0]} ${looks.join("; ")}${rows > 4 ? "; and so on" : ""}.`]),
    ...notes,
  ].join(" ");
}
