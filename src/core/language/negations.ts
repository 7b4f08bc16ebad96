import { ALL_LANGUAGES, LANGUAGES } from './words/languages.ts';
import { wordsInRole } from './words/role-words.ts';
import { fold } from './words/folding.ts';
import { termsIn, type Word } from './words/words.ts';

/** Terms in the scope of a negation: those that follow it closely, nearest first, and those before it. */
export interface Negation {
  readonly scope: readonly string[];
  readonly before: readonly string[];
}

/** Negation words in compared form, by the index of their language. */
const denyingWords = LANGUAGES.map(({ negations }) => {
  const { aheadForm, behindForm, within, ...lists } = negations ?? {};
  const folded = (list = ''): ReadonlySet<string> => new Set(list.split(' ').map(fold));
  return {
    aheadForm,
    behindForm,
    within,
    ahead: folded(lists.ahead),
    behindVerb: folded(lists.behindVerb),
    behind: folded(lists.behind),
    except: folded(lists.except),
    or: folded(lists.or),
  };
});

const NEW_CLAUSE: ReadonlySet<string> = new Set(
  [...wordsInRole('contrasts'), ...wordsInRole('reasons')].map(fold),
);
const UNSPACED = ALL_LANGUAGES.flatMap(({ negations }) => negations?.unspaced ?? []);
const REACH = 3;

/**
 * Returns the negations of a text. `text` contains the words, and `language` is an index into the list of languages.
 */
export function negationsIn(words: readonly Word[], text: string, language: number): Negation[] {
  const denying = denyingWords[language];
  return words.flatMap((word, index) => {
    const { folded } = word;
    const unspaced = UNSPACED.flatMap((pattern) => [...folded.matchAll(pattern)]);
    if (unspaced.length > 0)
      return unspaced.map((match) => ({
        scope: termsIn(match[1] ?? ''),
        before: termsIn(folded.slice(0, match.index)),
      }));
    if (denying === undefined) return [];
    const isAhead = denying.ahead.has(folded) || denying.aheadForm?.test(folded) === true;
    if (!isAhead) {
      if (denying.behind.has(folded) || denying.behindForm?.test(folded) === true)
        return [{ scope: termsBefore(words, index).toReversed(), before: [] }];
      const denied = denying.within?.exec(folded)?.[1];
      return denied === undefined
        ? []
        : [{ scope: termsIn(denied, language), before: termsBefore(words, index) }];
    }
    const [last, next] = [words[index - 1], words[index + 1]];
    if (denying.or.has(last?.folded ?? '') || denying.except.has(next?.folded ?? '')) return [];
    // "non-linear" is not a negation.
    if (text[word.end] === '-') return [];
    const before = termsBefore(words, index);
    const scope = scopeAfter(word, words.slice(index + 1), text);
    if (scope.length > 0 && denying.behindVerb.has(folded)) scope.push(...before.slice(-1));
    return [{ scope, before }];
  });
}

function termsBefore(words: readonly Word[], index: number): string[] {
  return words
    .slice(0, index)
    .map(({ terms }) => terms)
    .filter((terms) => terms.length > 0)
    .slice(-REACH)
    .flat();
}

function scopeAfter({ end }: Word, words: readonly Word[], text: string): string[] {
  const scope: string[] = [];
  let reached = 0;
  for (const word of words) {
    if (/[,;:.()|]/.test(text.slice(end, word.start)) || NEW_CLAUSE.has(word.folded)) break;
    ({ end } = word);
    const { terms } = word;
    if (terms.length === 0) continue;
    scope.push(...terms);
    reached++;
    if (reached >= REACH) break;
  }
  return scope;
}
