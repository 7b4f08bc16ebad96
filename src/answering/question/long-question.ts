import { markedQuestions } from '../../language/sentences.ts';
import { estimateTokens } from '../../language/tokens.ts';
import { splitWords } from '../../language/words/words.ts';

/** A question up to this length is searched for as it stands, in UTF-16 code units: a long paragraph, and no pasted page. */
const LONGEST_SEARCHED = 1000;
/** Of a longer one so many words are, those of its last question among them. */
const MOST_WORDS = 48;
/**
 * What is asked stands at the end or the beginning of a pasted text, in a sentence of at most this length, such as "Why does
 * this fail?" under a log.
 */
const LONGEST_SENTENCE = 300;
/** Of what is left of a question that is cut, so much is its beginning: a log's first error says more than its last lines. */
const SHARE_OF_BEGINNING = 0.6;

/**
 * What is searched for of a question: all of it, or of a pasted text the sentence that asks and the words that it says
 * most often, in their order.
 */
export function searchableQuestion(question: string): string {
  if (question.length <= LONGEST_SEARCHED) return question;
  const asking = askingSentence(question);
  const seen = new Map<string, { readonly word: string; readonly at: number; count: number }>();
  for (const { raw, start, terms } of splitWords(question)) {
    const [term] = terms;
    if (term === undefined) continue;
    const known = seen.get(term);
    if (known === undefined) seen.set(term, { word: raw, at: start, count: 1 });
    else known.count++;
  }
  const words = [...seen.values()]
    .toSorted((a, b) => b.count - a.count || b.word.length - a.word.length)
    .slice(0, MOST_WORDS)
    .toSorted((a, b) => a.at - b.at)
    .map(({ word }) => word);
  return [asking, words.join(' ')].filter((part) => part !== '').join('\n');
}

/** The last sentence that ends with a question mark, where it is a short one. */
function askingSentence(text: string): string {
  return markedQuestions(text).findLast((question) => question.length <= LONGEST_SENTENCE) ?? '';
}

/** What still has too many tokens loses so much more each time: 95 of 100 characters stay. */
const STAYS = 0.95;

/** A text of at most so many tokens: what stands in the middle of a longer one is left out, and said to be. */
export function withoutMiddle(text: string, tokens: number): string {
  const all = estimateTokens(text);
  if (all <= tokens) return text;
  let left = Math.floor((text.length * Math.max(0, tokens - MARK_TOKENS)) / all);
  // What is kept may have more tokens to the character than what is left out.
  for (;;) {
    const first = Math.floor(SHARE_OF_BEGINNING * left);
    const cut = `${whole(text.slice(0, first))}${MARK}${whole(text.slice(text.length - (left - first)))}`;
    if (left === 0 || estimateTokens(cut) <= tokens) return cut;
    left = Math.floor(STAYS * left);
  }
}

const MARK = '\n[… The middle of this question is left out because it is too long. …]\n';
const MARK_TOKENS = estimateTokens(MARK);

/** A text without half a character at its ends. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
