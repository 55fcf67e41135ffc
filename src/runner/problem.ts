/** The ways in which a run can end, each with its exit code. */

/** Exit codes of every command: nothing is wrong, a notebook is, or it could not be told. */
export const exitCodes = { fine: 0, failed: 1, cannotRun: 2 } as const;

/** A run that could not be made: a wrong argument, a missing or foreign file, no kernel, an unwritable disk. */
export class CannotRun extends Error {
  override name = "CannotRun";
}
