/** How sure the recognition of text in scans has to be of a word, from 0 to 100. */
export const recognitionWeights = {
  /** What is less sure is no word but dust, a line or a picture. */
  least: 30,
  /** Below it a word is marked as doubtful. */
  doubtful: 70,
};
