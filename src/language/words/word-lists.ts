/** Words by which an English question speaks of its own text instead of what it asks for: "mentioned in the article". */
const ASKING =
  /\b(?:cited|described|discussed|highlighted|listed|mentioned|noted|outlined|referenced|stated)\b/gi;

/**
 * A question without the words that speak of the telling alone. They are rare in texts and would weigh more than what
 * is asked for: without them questions over prose find half a point more (`npm run bench -- passages`).
 */
export function withoutAskingWords(question: string): string {
  return question.replace(ASKING, ' ');
}
