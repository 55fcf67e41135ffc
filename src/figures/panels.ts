// Panels: where the maps of several heads stand on a sheet, how large their cells are, and how their tokens are written.

/** What has to fit: `count` panels of `rows` by `columns` cells, labels of so many pixels at their left and under them. */
export interface PanelNeeds {
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
  readonly rowLabel: number;
  readonly columnLabel: number;
}

/** Panels in lines of `across`, with the upper left corner of each. */
export interface Panels {
  readonly cell: number;
  readonly across: number;
  readonly lines: number;
  readonly left: (at: number) => number;
  readonly top: (at: number) => number;
  /** Each row and column has a label, or each second, fifth, tenth: as many as are read beside each other. */
  readonly labelEvery: number;
  readonly labelSize: number;
  /** How the labels under the panels are turned, in degrees. */
  readonly columnAngle: 0 | -45 | -90;
  /** The height of the labels under a panel. */
  readonly labelRoom: number;
  readonly right: number;
  readonly bottom: number;
}

const pageWidth = 960;
const firstTop = 90;
const between = 16;
/** Space above a line of panels, for the names of the heads. */
const nameRoom = 34;
const bare = 36;
const largest = 52;
/** The least height of a label that is still read. */
const smallestLabel = 9;

/** The arrangement whose cells are largest, within a page and not taller than a screen if that can be. */
export function arrangePanels(needs: PanelNeeds): Panels {
  const { count, rows, columns, rowLabel, columnLabel } = needs;
  const edge = Math.round(bare + Math.max(rowLabel, columnLabel * 0.6));
  const screens = [
    { tallest: 560 - columnLabel * 0.75, least: smallestLabel },
    ...[1080, 1600, 2400, 4800].map((tallest) => ({ tallest, least: 4 })),
  ];
  const fitting = screens.map((screen) => fitCells(needs, edge, screen)).find((fit) => fit !== undefined);
  const { cell, across } = fitting ?? { cell: 1, across: 1 };
  const labelEvery = [1, 2, 5, 10, 20, 50].find((every) => every * cell >= smallestLabel) ?? 100;
  const room = labelEvery * cell;
  const columnAngle = columnLabel <= room - 4 ? 0 : room >= 17 ? -45 : -90;
  const labelRoom = columnAngle === 0 ? 20 : columnAngle === -45 ? columnLabel * 0.75 + 14 : columnLabel + 10;
  const lines = Math.ceil(count / across);
  const stepRight = columns * cell + between;
  const stepDown = rows * cell + nameRoom;
  return {
    cell,
    across,
    lines,
    left: (at) => edge + (at % across) * stepRight,
    top: (at) => firstTop + Math.floor(at / across) * stepDown,
    labelEvery,
    labelSize: room >= 16 ? 12 : room >= 12 ? 11 : 9,
    columnAngle,
    labelRoom,
    right: edge + Math.min(across, count) * stepRight - between,
    bottom: firstTop + (lines - 1) * stepDown + rows * cell + labelRoom,
  };
}

function fitCells(
  { count, rows, columns }: PanelNeeds,
  left: number,
  { tallest, least }: { readonly tallest: number; readonly least: number },
): { cell: number; across: number } | undefined {
  let best = { cell: 0, across: 1, empty: 0 };
  for (let across = count; across >= 1; across--) {
    const lines = Math.ceil(count / across);
    const wide = (pageWidth - left - between * across) / (across * columns);
    const high = (tallest - nameRoom * lines) / (lines * rows);
    const cell = Math.min(largest, Math.floor(Math.min(wide, high)));
    const empty = lines * across - count;
    if (cell > best.cell || (cell === best.cell && empty < best.empty)) best = { cell, across, empty };
  }
  return best.cell >= least ? best : undefined;
}
