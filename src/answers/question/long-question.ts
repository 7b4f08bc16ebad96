import { markedQuestions } from '../../core/language/sentences.ts';
import { estimateTokens } from '../../core/language/tokens.ts';
import { splitWords } from '../../core/language/words/words.ts';

/**
 * Maximum length of a question that is searched for as a whole, in UTF-16 code units: a long paragraph, but not a
 * pasted page.
 */
const MAX_SEARCHED_LENGTH = 1000;
/** Maximum number of words to search for of a longer question, including those of its last question. */
const MAX_WORDS = 48;
/**
 * Maximum length of the actual question at the end or the beginning of a pasted text, such as "Why does this fail?"
 * below a log.
 */
const MAX_SENTENCE_LENGTH = 300;
/** Share of the beginning in a cut question: the first error of a log is more useful than its last lines. */
const SHARE_OF_BEGINNING = 0.6;

/**
 * Returns the part of a question to search for: all of it or, for a pasted text, the actual question and the most
 * frequent words, in order.
 */
export function searchableQuestion(question: string): string {
  if (question.length <= MAX_SEARCHED_LENGTH) return question;
  const asking = askingSentence(question);
  const wordsByTerm = new Map<string, { readonly word: string; readonly at: number; count: number }>();
  for (const { raw, start, terms } of splitWords(question)) {
    const [term] = terms;
    if (term === undefined) continue;
    const known = wordsByTerm.get(term);
    if (known === undefined) wordsByTerm.set(term, { word: raw, at: start, count: 1 });
    else known.count++;
  }
  const words = [...wordsByTerm.values()]
    .toSorted((a, b) => b.count - a.count || b.word.length - a.word.length)
    .slice(0, MAX_WORDS)
    .toSorted((a, b) => a.at - b.at)
    .map(({ word }) => word);
  return [asking, words.join(' ')].filter((part) => part !== '').join('\n');
}

/** Returns the last short sentence with a question mark. */
function askingSentence(text: string): string {
  return markedQuestions(text).findLast((question) => question.length <= MAX_SENTENCE_LENGTH) ?? '';
}

/** Ratio by which a text with too many tokens is shortened each time: 95 of 100 characters stay. */
const STAYS = 0.95;

/** Returns a text with at most `tokens` tokens. Replaces the middle of a longer one by a note about the omission. */
export function withoutMiddle(text: string, tokens: number): string {
  const tokenCount = estimateTokens(text);
  if (tokenCount <= tokens) return text;
  let length = Math.floor((text.length * Math.max(0, tokens - MARK_TOKENS)) / tokenCount);
  // The remaining text may have more tokens per character than the omitted text.
  for (;;) {
    const first = Math.floor(SHARE_OF_BEGINNING * length);
    const cut = `${whole(text.slice(0, first))}${MARK}${whole(text.slice(text.length - (length - first)))}`;
    if (length === 0 || estimateTokens(cut) <= tokens) return cut;
    length = Math.floor(STAYS * length);
  }
}

const MARK = '\n[… The middle of this question is left out because it is too long. …]\n';
const MARK_TOKENS = estimateTokens(MARK);

/** Returns a text without half a character at its ends. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
