/**
 * How sure the recognition of text in scans has to be of a word, from 0 to 100. `doubtful` is chosen by
 * test/support/fit-recognition.ts on the made scans of `npm run bench -- scans` (there are no public ones here): the
 * highest below which at most 1 % of the right words of each kind but the noisiest stand. One of 11 kinds is held
 * back at a time: of those not seen 32 % of wrong words are marked, and 2 % of right ones.
 */
export const RECOGNITION_WEIGHTS = {
  /**
   * What is less sure is no word but dust, a line or a picture: "-" and "i" along the edge of a copy. No data of ours speaks
   * for it: made scans have hardly any dust, and with 0 their words are read as well (an F1 of .988 either way), but what dust
   * there is, too.
   */
  least: 30,
  /** Below it a word is marked as doubtful. */
  doubtful: 70,
};
