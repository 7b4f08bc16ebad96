import { stemmer } from '@orama/stemmers/greek';
import { stopwords } from '@orama/stopwords/greek';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const GREEK: LanguagePack = {
  name: 'greek',
  code: 'el',
  stem: stemmer,
  stopWords: stopwords,
  negations: { ahead: 'δεν δε μην μη όχι χωρίς ούτε', except: 'μόνο μόνον', or: 'ή' },
  dates: { beforeYear: 'το από έως' },
  definitions: {
    sentences: [
      '(?:ο|η|το|οι|τα) {term} είναι (?:μια?|ένα[ςν]?|η|ο|το) (?:\\p{L}{1,30} ){1,4}(?:που|με|όπου|για)(?!\\p{L}){rest}',
    ],
  },
};

export const GREEK_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'αγ, βλ, δηλ, καθ, κ, κα, κκ, λ. χ, π. χ, πρβλ',
    numbered: 'αρ, εικ, κεφ, παρ, πίν, σ, σελ, σχ, τηλ',
  },
  figures: { names: 'σχήμα(?:τα)?|σχ|εικόν(?:α|ες)|εικ', pluralEndings: 'ες', tables: 'πίνακας|πίν' },
  beforeLast: 'και',
};
