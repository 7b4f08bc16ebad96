import { languages } from './words/languages.ts';
import { REASON_WORDS, TURNING_WORDS } from './words/word-lists.ts';
import { fold } from './words/folding.ts';
import { termsIn, type Word } from './words/words.ts';

/** Terms in the scope of a negation: those that follow it closely, nearest first, and those before it. */
export interface Negation {
  readonly scope: readonly string[];
  readonly before: readonly string[];
}

/** Negation words of a language. */
interface Denying {
  /** Words before what they negate. */
  readonly ahead?: string;
  /** Form of such words, if there are too many to list. */
  readonly aheadForm?: RegExp;
  /** Those of `ahead` that can follow the verb and negate it as well. */
  readonly behindVerb?: string;
  /** Words after all that they negate, also verb endings. */
  readonly behind?: string;
  readonly behindForm?: RegExp;
  /** A word that contains a negation; its group is the negated part. */
  readonly within?: RegExp;
  /** Words after a negation that cancel it: "not only". */
  readonly except?: string;
  /** Words before a negation that cancel it: "or not". */
  readonly or?: string;
}

/** Rules by language code. */
const DENYING: Readonly<Record<string, Denying>> = {
  en: {
    ahead: 'not no never none nor neither without cannot nothing nobody',
    aheadForm: /^\p{L}+n't$/u,
    except: 'only just necessarily least longer',
    or: 'or',
  },
  de: {
    ahead:
      'nicht nichts nie niemals niemand nirgends kein keine keinem keinen keiner keines keinerlei ohne weder',
    behindVerb: 'nicht nie niemals',
    except: 'nur',
    or: 'oder',
  },
  fr: {
    ahead: 'pas jamais aucun aucune sans ni rien non',
    behindVerb: 'pas jamais',
    except: 'seulement doute',
    or: 'ou',
  },
  es: {
    ahead: 'no nunca jamás ni sin ningún ninguno ninguna nada nadie tampoco',
    except: 'solo solamente embargo',
    or: 'o',
  },
  it: {
    ahead: 'non mai nessun nessuno nessuna senza nulla niente neanche nemmeno neppure',
    except: 'solo soltanto solamente',
    or: 'o',
  },
  pt: {
    ahead: 'não nunca jamais nem sem nenhum nenhuma nada ninguém tampouco',
    except: 'só somente apenas',
    or: 'ou',
  },
  nl: {
    ahead: 'niet niets nooit niemand nergens nimmer geen zonder noch',
    behindVerb: 'niet nooit',
    except: 'alleen enkel slechts',
    or: 'of',
  },
  sv: {
    ahead: 'inte ej icke aldrig ingen inget inga ingenting utan varken',
    behindVerb: 'inte ej icke aldrig',
    except: 'bara endast enbart',
    or: 'eller',
  },
  no: {
    ahead: 'ikke ikkje aldri ingen intet ingenting uten verken hverken',
    behindVerb: 'ikke ikkje aldri',
    except: 'bare kun',
    or: 'eller',
  },
  da: {
    ahead: 'ikke ej aldrig ingen intet ingenting uden hverken',
    behindVerb: 'ikke ej aldrig',
    except: 'kun bare blot',
    or: 'eller',
  },
  fi: { ahead: 'ei en et emme ette eivät eikä älä ilman', except: 'vain ainoastaan', or: 'tai' },
  hu: {
    ahead: 'nem ne sem soha sosem nincs nincsen nincsenek sincs sincsenek semmi senki',
    behind: 'nélkül',
    except: 'csak csupán',
    or: 'vagy',
  },
  ro: { ahead: 'nu niciodată fără nici niciun nicio nimic nimeni', except: 'numai doar', or: 'sau' },
  tr: {
    behind: 'değil değildir değildi değiller yok yoktur yoktu',
    behindForm:
      /^(?!\p{L}{0,30}komedi|namaz)\p{L}{2,30}m(?:[iu]yor\p{L}{0,20}|[ae](?:z(?:l[ae]r|di)?|di(?:l[ae]r)?|mis\p{L}{0,20}|y[ae]c[ae][kg]\p{L}{0,20}|m[ae]kt[ae]\p{L}{0,20}|m[ae]li\p{L}{0,20}))$/u,
  },
  ru: { ahead: 'не нет ни никогда нельзя без никто ничто ничего', except: 'только лишь', or: 'или' },
  uk: { ahead: 'не немає нема ні ніколи без ніхто ніщо нічого', except: 'тільки лише', or: 'або чи' },
  el: { ahead: 'δεν δε μην μη όχι χωρίς ούτε', except: 'μόνο μόνον', or: 'ή' },
  ar: { ahead: 'بدون بلا غير', aheadForm: /^[وف]?(?:لا|لم|لن|ليس\p{L}{0,2})$/u, except: 'فقط', or: 'أو أم' },
  hy: {
    ahead: 'ոչ առանց չէ չեն չի չէր չէին չկա չկան',
    within: /^չ(\p{L}{3,})$/u,
    except: 'միայն',
    or: 'կամ',
  },
  bg: { ahead: 'не няма нямаше никога без нито никой нищо', except: 'само', or: 'или' },
  hi: { ahead: 'नहीं नही न मत बिना', behindVerb: 'नहीं नही', except: 'केवल सिर्फ', or: 'या' },
  id: {
    ahead: 'tidak bukan tanpa belum jangan tak tiada',
    except: 'hanya cuma sekadar saja',
    or: 'atau',
  },
  ga: { ahead: 'ní níl níor nach nár gan', except: 'amháin', or: 'nó' },
  lt: {
    ahead: 'ne nėra nebuvo niekada niekas be nei',
    within: /^ne(\p{L}{3,})$/u,
    except: 'tik vien',
    or: 'ar arba',
  },
  ne: {
    ahead: 'बिना',
    behind: 'छैन छैनन् होइन होइनन् थिएन थिएनन् हुन्न',
    behindForm: /^[\p{L}\p{M}]+दैन(?:न्)?$/u,
  },
  sr: {
    ahead: 'ne nije nisu nema nemaju nikad nikada bez niti neće',
    except: 'samo',
    or: 'ili',
  },
  ta: { behind: 'இல்லை அல்ல இன்றி இல்லாமல்', behindForm: /^[\p{L}\p{M}]+(?:வில்லை|தில்லை)$/u },
};

/** The words of `DENYING` in compared form, by the index of their language. */
const denyingWords = languages.map(({ code }) => {
  const { aheadForm, behindForm, within, ...lists } = DENYING[code] ?? {};
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

const NEW_CLAUSE: ReadonlySet<string> = new Set([...TURNING_WORDS, ...REASON_WORDS].map(fold));
/** Matches a negation in scripts without spaces with its scope, but not "not only" and the like. */
const UNSPACED = /(?:不(?![仅只但过同少断论])|没有?|未(?!来)|无(?!论))(\p{sc=Han}{1,4})/gu;
const REACH = 3;

/**
 * Returns the negations of a text. `text` contains the words, and `language` is an index into the list of languages.
 */
export function negationsIn(words: readonly Word[], text: string, language: number): Negation[] {
  const denying = denyingWords[language];
  return words.flatMap((word, index) => {
    const { folded } = word;
    const unspaced = [...folded.matchAll(UNSPACED)];
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
