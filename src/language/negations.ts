import { REASON_WORDS, TURNING_WORDS } from './words/word-lists.ts';
import { fold } from './words/word-terms.ts';
import { termsIn, type Word } from './words/words.ts';

/** What a negation turns round: the terms that follow it closely, nearest first, and those that stand before it. */
export interface Negation {
  readonly scope: readonly string[];
  readonly before: readonly string[];
}

const NEGATIONS =
  /^(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|\p{L}+n't|nicht|nie|niemals|kein\p{L}{0,2}|ohne|weder|pas|jamais|aucune?|sans|nunca|ningun[ao]?|tampoco|non|nessun[ao]?|senza|не|нет|никогда|нельзя|без)$/u;
/** What stands behind the verb that it denies, in other languages. */
const BEHIND_VERB = /^(?:nicht|nie|niemals|pas|jamais)$/;
/** "Not only" and the like deny nothing. */
const NO_NEGATION_BEFORE =
  /^(?:only|just|necessarily|least|longer|nur|seulement|solo|solamente|soltanto|только)$/;
const NEW_CLAUSE: ReadonlySet<string> = new Set([...TURNING_WORDS, ...REASON_WORDS].map(fold));
/** A negation within words that are written without spaces, with what it turns round; "not only" and the like are none. */
const UNSPACED = /(?:不(?![仅只但过同少断论])|没有?|未(?!来)|无(?!论))(\p{sc=Han}{1,4})/gu;
const REACH = 3;

/** The negations of a text; `text` is what the words were taken from. */
export function negationsIn(words: readonly Word[], text: string): Negation[] {
  return words.flatMap((word, index) => {
    const unspaced = [...word.folded.matchAll(UNSPACED)];
    if (unspaced.length > 0)
      return unspaced.map((match) => ({
        scope: termsIn(match[1] ?? ''),
        before: termsIn(word.folded.slice(0, match.index)),
      }));
    const [last, next] = [words[index - 1], words[index + 1]];
    if (!NEGATIONS.test(word.folded) || last?.folded === 'or' || NO_NEGATION_BEFORE.test(next?.folded ?? ''))
      return [];
    // What is "non-linear" is not denied.
    if (text[word.end] === '-') return [];
    const before = words
      .slice(0, index)
      .map((each) => each.terms)
      .filter((terms) => terms.length > 0)
      .slice(-REACH)
      .flat();
    const scope = scopeAfter(word, words.slice(index + 1), text);
    if (scope.length > 0 && BEHIND_VERB.test(word.folded)) scope.push(...before.slice(-1));
    return [{ scope, before }];
  });
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

/** Whether a text denies what another says, whose terms and negations these are. */
export function denies(
  negations: readonly Negation[],
  others: readonly Negation[],
  terms: ReadonlySet<string>,
): boolean {
  const denied = new Set(others.flatMap(({ scope, before }) => (scope.length > 0 ? scope : before)));
  return negations.some(({ scope, before }) => {
    if (
      scope.some((term) => denied.has(term)) ||
      (scope.length === 0 && before.some((term) => denied.has(term)))
    )
      return false;
    const shared = scope.filter((term) => terms.has(term));
    if (scope.length === 0) return terms.has(before.at(-1) ?? '');
    const isNear = scope[0] !== undefined && terms.has(scope[0]) && before.some((term) => terms.has(term));
    return shared.length >= 2 || isNear || (shared.length === 1 && scope.length === 1 && before.length === 0);
  });
}
