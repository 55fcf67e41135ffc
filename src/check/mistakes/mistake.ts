// A known mistake: an entry of a bank.

/**
 * One way of going wrong that has a name. `Way` is what the bank's checker can run: a wrong implementation, or the steps of
 * the right one that are replaced.
 */
export interface Mistake<Way> {
  /** A few words, unique in its bank. */
  readonly name: string;
  /** What happens and why that is wrong: full sentences. */
  readonly says: string;
  /** A question or a pointer that leaves the finding to the learner. */
  readonly hint: string;
  /** Wrong implementations that this mistake leads to, the usual ones first. */
  readonly ways: readonly Way[];
}
