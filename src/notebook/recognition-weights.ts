/**
 * How sure the recognition of text in scans has to be of a word, from 0 to 100. Held against eleven kinds of made scans by
 * test/support/fit-recognition.ts, which chooses 0 and 50 with most of them and 40 and 80 without the noisiest: on their
 * words that makes no difference (an F1 of .988 either way), so these stay, which read nothing into dust and pictures.
 */
export const recognitionWeights = {
  /** What is less sure is no word but dust, a line or a picture: "-" and "i" along the edge of a copy. */
  least: 30,
  /** Below it a word is marked as doubtful: a third of wrong words is, and a hundredth of right ones. */
  doubtful: 70,
};
