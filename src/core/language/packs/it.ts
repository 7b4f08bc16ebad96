import { stemmer } from '@orama/stemmers/italian';
import { stopwords } from '@orama/stopwords/italian';
import type { LanguagePack } from './pack.ts';

export const italian: LanguagePack = {
  name: 'italian',
  code: 'it',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: 'àèéìòùî',
  negations: {
    ahead: 'non mai nessun nessuno nessuna senza nulla niente neanche nemmeno neppure',
    except: 'solo soltanto solamente',
    or: 'o',
  },
  followUps: {
    continuation:
      /^(?:e|ma|allora|quindi|che ne dici|per esempio|quale di|quali di)(?= )|^(?:perché|come|quando|dove|chi|quale|quali|continua|ancora)(?: no| mai)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:ciò|quest[aeio](?=$| (?:vale|funziona|succede|costa|significa|è|si applica)(?!\p{L}))|quell[aeio]$|di (?:questi|quelli|loro|essi)|entramb[ei]$|(?:come|quando|dove|perché|non|si) lo (?!s[^aeiou]|z|gn|ps)\p{L}{1,30}|\p{L}{3,30}[aei]r(?:l[aeio]|ne))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:ess[aeio]|lui|lei|loro)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:il|la|del|della|al|alla|nel|nella) (prim[oa]|second[oa]|terz[oa]|quart[oa]|quint[oa]|ultim[oa])(?=$|,| (?:punto|opzione|passo|metodo|elemento|esempio|soluzione|di|fa|è|serve)(?!\p{L}))/iu,
  },
  enumerations: {
    leads: 'sono|includ(?:e|ono)|comprend(?:e|ono)|offr(?:e|ono)|support(?:a|ano)|come|cioè|ossia|tra|fra',
    joins: 'ed?|od?',
  },
  determiners:
    'il lo la i gli le l un uno una del della dei degli delle dell al alla ai alle nel nella questo questa',
  conjunctions: 'e ed o ma se che quando',
  backReferences: '',
  words: {
    questions: 'che chi come quando quanto perché dove',
    aspects: 'esempio differenza',
    contrasts: 'ma però tuttavia mentre',
    connectors: 'e ma però',
    reasons: 'perché',
    additions: 'e',
    fillers: 'gli i di nel nella della dei è erano',
    numbers: 'uno due tre quattro cinque sei sette otto nove dieci',
  },
  sections: {
    summaries: 'riassunto, sommario, introduzione',
    overviews: 'conclusione, conclusioni, panoramica',
    keywords: 'parole chiave',
  },
};
