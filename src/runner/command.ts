/** What a command of the command line is. */

export interface Command {
  /** Its usage, one line or more. */
  usage: string;
  /** Runs it with its arguments and resolves to the exit code. */
  run: (args: string[]) => Promise<number>;
  /** Ends what it started, at Ctrl-C and its kin; `code` is the exit code that tells of the signal. */
  stop: (code: number) => void;
}
