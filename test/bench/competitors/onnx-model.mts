// The lesson's formulas as an ONNX graph, written byte by byte in protocol buffers: a field is its number and kind, then a
// whole number or a length and as many bytes (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).

import type { Problem } from "../problem.mjs";

type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]];

const DOUBLE = 11;
const INT64 = 7;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function encode(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [Uint8Array.from([...varint(number * 8), ...varint(value)])];
      const bytes =
        typeof value === "string" ? Buffer.from(value) : value instanceof Uint8Array ? value : encode(value);
      return [Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes];
    }),
  );
}

function node(op: string, inputs: readonly string[], output: string, attributes: readonly Field[] = []): Field {
  return [1, [...inputs.map((name): Field => [1, name]), [2, output], [4, op], ...attributes]];
}

function integers(name: string, values: readonly number[]): Field {
  return [5, [[1, name], ...values.map((value): Field => [8, value]), [20, 7]]];
}

function constant(name: string, type: number, dims: readonly number[], data: Float64Array | BigInt64Array): Field {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return [5, [...dims.map((n): Field => [1, n]), [2, type], [8, name], [9, raw]]];
}

function array(field: number, name: string, dims: readonly number[]): Field {
  const shape: Field[] = dims.map((n): Field => [1, [[1, n]]]);
  return [
    field,
    [
      [1, name],
      [
        2,
        [
          [
            1,
            [
              [1, DOUBLE],
              [2, shape],
            ],
          ],
        ],
      ],
    ],
  ];
}

/** x, wQ, wK, wV, wO to output and weights. */
export function attentionModel({ B, T, D, H }: Problem): Uint8Array {
  const d = D / H;
  const heads = (name: string, order: readonly number[]): Field[] => [
    node("MatMul", ["x", `w${name}`], name),
    node("Reshape", [name, "split"], `${name}split`),
    node("Transpose", [`${name}split`], `${name}heads`, [integers("perm", order)]),
  ];
  const shape = (name: string, dims: readonly number[]): Field =>
    constant(name, INT64, [dims.length], BigInt64Array.from(dims, BigInt));
  const graph: Field[] = [
    ...heads("Q", [0, 2, 1, 3]),
    ...heads("K", [0, 2, 3, 1]),
    ...heads("V", [0, 2, 1, 3]),
    node("MatMul", ["Qheads", "Kheads"], "products"),
    node("Div", ["products", "root"], "scores"),
    node("Softmax", ["scores"], "weights", [
      [
        5,
        [
          [1, "axis"],
          [3, 3],
          [20, 2],
        ],
      ],
    ]),
    node("MatMul", ["weights", "Vheads"], "sums"),
    node("Transpose", ["sums"], "back", [integers("perm", [0, 2, 1, 3])]),
    node("Reshape", ["back", "merge"], "merged"),
    node("MatMul", ["merged", "wO"], "output"),
    [2, "attention"],
    shape("split", [B, T, H, d]),
    shape("merge", [B, T, D]),
    constant("root", DOUBLE, [], Float64Array.of(Math.sqrt(d))),
    array(11, "x", [B, T, D]),
    ...["wQ", "wK", "wV", "wO"].map((name) => array(11, name, [D, D])),
    array(12, "output", [B, T, D]),
    array(12, "weights", [B, H, T, T]),
  ];
  return encode([
    [1, 8], // version of the format
    [7, graph],
    [8, [[2, 17]]], // version of the operators
  ]);
}
