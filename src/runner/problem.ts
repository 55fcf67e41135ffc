/** The two ways in which a run can end badly, each with its exit code. */

/** A run that could not be made: a wrong argument, a missing or foreign file, no kernel, an unwritable disk. */
export class CannotRun extends Error {
  override name = "CannotRun";
}

/** A cell failed: the notebook was run, and its code is to blame. */
export class CellFailed extends Error {
  override name = "CellFailed";
}

/** Exit codes of every command. */
export const exitCodes = { fine: 0, failed: 1, cannotRun: 2 } as const;
