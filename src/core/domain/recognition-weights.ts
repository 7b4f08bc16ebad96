/**
 * Minimum confidences of text recognition in a word, from 0 to 100. test/support/fit-recognition.ts chose `doubtful` on
 * the generated scans of `npm run bench -- scans`, since no public scans are available here. It's the highest threshold
 * with at most 1 % of the right words of each kind below it, except the noisiest kind. With each of 11 kinds held out
 * in turn, it marks 32 % of the wrong words of unseen kinds and 2 % of the right ones.
 */
export const RECOGNITION_WEIGHTS = {
  /**
   * A word below it is only dust, a line, or a picture: "-" and "i" along the edge of a copy. None of our data supports
   * it: generated scans have hardly any dust. With 0, their words are read as well (an F1 of .988 either way), but so
   * is any dust.
   */
  least: 30,
  /** A word below it is marked as doubtful. */
  doubtful: 70,
};
