/**
 * How sure the recognition of text in scans has to be of a word, from 0 to 100. Held against the made scans of
 * `npm run bench -- scans` (eleven kinds; there are no public ones here) by test/support/fit-recognition.ts. Not what that
 * chooses, which differs with the kind held back: 0 and 50 with most of them, 40 and 80 without the noisiest. On their words
 * that makes no difference (an F1 of .988 either way), and these read nothing into dust and pictures.
 */
export const RECOGNITION_WEIGHTS = {
  /** What is less sure is no word but dust, a line or a picture: "-" and "i" along the edge of a copy. */
  least: 30,
  /** Below it a word is marked as doubtful: a third of wrong words is, and a hundredth of right ones. */
  doubtful: 70,
};
