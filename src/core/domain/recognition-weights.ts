/**
 * Minimum confidences of text recognition in a word, from 0 to 100. test/support/fit-recognition.ts chose `doubtful` on
 * the generated scans of `npm run bench -- scans`, since no public scans are available here. It's the highest threshold
 * with at most 1 % of the right words of each kind below it, except the noisiest kind. With each of 11 kinds held out
 * in turn, it marks 32 % of the wrong words of unseen kinds and 2 % of the right ones.
 */
export const RECOGNITION_WEIGHTS = {
  /**
   * Minimum confidence of a word. Below it are dust, lines, and pictures, such as "-" and "i" along the edge of a copy.
   * Chosen without data, because generated scans have hardly any dust: with 0, the F1 is .988, too.
   */
  least: 30,
  /** Confidence below which a word is marked as doubtful. */
  doubtful: 70,
};
