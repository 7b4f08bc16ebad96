import { stemmer as germanStemmer } from '@orama/stemmers/german';
import { stemmer as frenchStemmer } from '@orama/stemmers/french';
import { stemmer as spanishStemmer } from '@orama/stemmers/spanish';
import { stemmer as italianStemmer } from '@orama/stemmers/italian';
import { stemmer as portugueseStemmer } from '@orama/stemmers/portuguese';
import { stemmer as dutchStemmer } from '@orama/stemmers/dutch';
import { stemmer as swedishStemmer } from '@orama/stemmers/swedish';
import { stemmer as norwegianStemmer } from '@orama/stemmers/norwegian';
import { stemmer as danishStemmer } from '@orama/stemmers/danish';
import { stemmer as finnishStemmer } from '@orama/stemmers/finnish';
import { stemmer as hungarianStemmer } from '@orama/stemmers/hungarian';
import { stemmer as romanianStemmer } from '@orama/stemmers/romanian';
import { stemmer as turkishStemmer } from '@orama/stemmers/turkish';
import { stemmer as russianStemmer } from '@orama/stemmers/russian';
import { stemmer as ukrainianStemmer } from '@orama/stemmers/ukrainian';
import { stemmer as greekStemmer } from '@orama/stemmers/greek';
import { stemmer as arabicStemmer } from '@orama/stemmers/arabic';
import { stemmer as armenianStemmer } from '@orama/stemmers/armenian';
import { stemmer as bulgarianStemmer } from '@orama/stemmers/bulgarian';
import { stemmer as hindiStemmer } from '@orama/stemmers/indian';
import { stemmer as indonesianStemmer } from '@orama/stemmers/indonesian';
import { stemmer as irishStemmer } from '@orama/stemmers/irish';
import { stemmer as lithuanianStemmer } from '@orama/stemmers/lithuanian';
import { stemmer as nepaliStemmer } from '@orama/stemmers/nepali';
import { stemmer as serbianStemmer } from '@orama/stemmers/serbian';
import { stemmer as tamilStemmer } from '@orama/stemmers/tamil';
import { stopwords as englishWords } from '@orama/stopwords/english';
import { stopwords as germanWords } from '@orama/stopwords/german';
import { stopwords as frenchWords } from '@orama/stopwords/french';
import { stopwords as spanishWords } from '@orama/stopwords/spanish';
import { stopwords as italianWords } from '@orama/stopwords/italian';
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese';
import { stopwords as dutchWords } from '@orama/stopwords/dutch';
import { stopwords as swedishWords } from '@orama/stopwords/swedish';
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian';
import { stopwords as danishWords } from '@orama/stopwords/danish';
import { stopwords as finnishWords } from '@orama/stopwords/finnish';
import { stopwords as hungarianWords } from '@orama/stopwords/hungarian';
import { stopwords as romanianWords } from '@orama/stopwords/romanian';
import { stopwords as turkishWords } from '@orama/stopwords/turkish';
import { stopwords as russianWords } from '@orama/stopwords/russian';
import { stopwords as ukrainianWords } from '@orama/stopwords/ukrainian';
import { stopwords as greekWords } from '@orama/stopwords/greek';
import { stopwords as arabicWords } from '@orama/stopwords/arabic';
import { stopwords as armenianWords } from '@orama/stopwords/armenian';
import { stopwords as bulgarianWords } from '@orama/stopwords/bulgarian';
import { stopwords as hindiWords } from '@orama/stopwords/indian';
import { stopwords as indonesianWords } from '@orama/stopwords/indonesian';
import { stopwords as irishWords } from '@orama/stopwords/irish';
import { stopwords as lithuanianWords } from '@orama/stopwords/lithuanian';
import { stopwords as nepaliWords } from '@orama/stopwords/nepali';
import { stopwords as serbianWords } from '@orama/stopwords/serbian';
import { stopwords as tamilWords } from '@orama/stopwords/tamil';
import { stemEnglish } from './english-stems.ts';
import { MORE_STOP_WORDS } from './word-lists.ts';

/** A language that passages are stemmed in. */
interface Language {
  readonly name: string;
  /** Two-letter code of ISO 639-1. */
  readonly code: string;
  readonly stem: (word: string) => string;
  readonly stopWords: readonly string[];
  /** `true` if it writes compounds as one word: a "Leuchtturm" is a "Turm". */
  readonly compounds?: true;
  /** `true` if all nouns are capitalized, so that a capital doesn't show a name. */
  readonly capitalNouns?: true;
}

/** Stems a Bulgarian word. The library's stemmer fails for some words, which stay unchanged. */
function stemBulgarian(word: string): string {
  try {
    return bulgarianStemmer(word);
  } catch {
    // The library fails for some words.
    return word;
  }
}

/** English comes first and is the default. Snapshots store languages by their index, so append only. */
export const languages: readonly [Language, ...Language[]] = [
  { name: 'english', code: 'en', stem: stemEnglish, stopWords: [...englishWords, ...MORE_STOP_WORDS] },
  {
    name: 'german',
    code: 'de',
    stem: germanStemmer,
    stopWords: germanWords,
    compounds: true,
    capitalNouns: true,
  },
  { name: 'french', code: 'fr', stem: frenchStemmer, stopWords: frenchWords },
  { name: 'spanish', code: 'es', stem: spanishStemmer, stopWords: spanishWords },
  { name: 'italian', code: 'it', stem: italianStemmer, stopWords: italianWords },
  { name: 'portuguese', code: 'pt', stem: portugueseStemmer, stopWords: portugueseWords },
  { name: 'dutch', code: 'nl', stem: dutchStemmer, stopWords: dutchWords, compounds: true },
  { name: 'swedish', code: 'sv', stem: swedishStemmer, stopWords: swedishWords, compounds: true },
  { name: 'norwegian', code: 'no', stem: norwegianStemmer, stopWords: norwegianWords, compounds: true },
  { name: 'danish', code: 'da', stem: danishStemmer, stopWords: danishWords, compounds: true },
  { name: 'finnish', code: 'fi', stem: finnishStemmer, stopWords: finnishWords, compounds: true },
  { name: 'hungarian', code: 'hu', stem: hungarianStemmer, stopWords: hungarianWords, compounds: true },
  { name: 'romanian', code: 'ro', stem: romanianStemmer, stopWords: romanianWords },
  { name: 'turkish', code: 'tr', stem: turkishStemmer, stopWords: turkishWords },
  { name: 'russian', code: 'ru', stem: russianStemmer, stopWords: russianWords },
  { name: 'ukrainian', code: 'uk', stem: ukrainianStemmer, stopWords: ukrainianWords },
  { name: 'greek', code: 'el', stem: greekStemmer, stopWords: greekWords },
  { name: 'arabic', code: 'ar', stem: arabicStemmer, stopWords: arabicWords },
  { name: 'armenian', code: 'hy', stem: armenianStemmer, stopWords: armenianWords },
  { name: 'bulgarian', code: 'bg', stem: stemBulgarian, stopWords: bulgarianWords },
  { name: 'hindi', code: 'hi', stem: hindiStemmer, stopWords: hindiWords },
  { name: 'indonesian', code: 'id', stem: indonesianStemmer, stopWords: indonesianWords },
  { name: 'irish', code: 'ga', stem: irishStemmer, stopWords: irishWords },
  { name: 'lithuanian', code: 'lt', stem: lithuanianStemmer, stopWords: lithuanianWords },
  { name: 'nepali', code: 'ne', stem: nepaliStemmer, stopWords: nepaliWords },
  { name: 'serbian', code: 'sr', stem: serbianStemmer, stopWords: serbianWords },
  { name: 'tamil', code: 'ta', stem: tamilStemmer, stopWords: tamilWords },
];

const placeOfCode = new Map(languages.map(({ code }, place) => [code, place]));
// Norwegian also has the codes of its two written forms.
for (const written of ['nb', 'nn']) placeOfCode.set(written, placeOfCode.get('no') ?? 0);

/** Returns the index of a language by a tag such as `pt-BR`; undefined if it isn't in the list. */
export function languageByTag(tag: string | undefined): number | undefined {
  return placeOfCode.get(tag?.replace(/[-_].*/s, '').toLowerCase() ?? '');
}
