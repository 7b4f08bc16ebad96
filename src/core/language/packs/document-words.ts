import { ENGLISH_DOCUMENT_WORDS } from './en.ts';
import { FRENCH_DOCUMENT_WORDS } from './fr.ts';
import { SPANISH_DOCUMENT_WORDS } from './es.ts';
import { PORTUGUESE_DOCUMENT_WORDS } from './pt.ts';
import { ITALIAN_DOCUMENT_WORDS } from './it.ts';
import { ROMANIAN_DOCUMENT_WORDS } from './ro.ts';
import { SWEDISH_DOCUMENT_WORDS } from './sv.ts';
import { NORWEGIAN_DOCUMENT_WORDS } from './no.ts';
import { DANISH_DOCUMENT_WORDS } from './da.ts';
import { GERMAN_DOCUMENT_WORDS } from './de.ts';
import { DUTCH_DOCUMENT_WORDS } from './nl.ts';
import { FINNISH_DOCUMENT_WORDS } from './fi.ts';
import { TURKISH_DOCUMENT_WORDS } from './tr.ts';
import { INDONESIAN_DOCUMENT_WORDS } from './id.ts';
import { VIETNAMESE_DOCUMENT_WORDS } from './vi.ts';
import { IRISH_DOCUMENT_WORDS } from './ga.ts';
import { POLISH_DOCUMENT_WORDS } from './pl.ts';
import { CZECH_DOCUMENT_WORDS } from './cs.ts';
import { SLOVAK_DOCUMENT_WORDS } from './sk.ts';
import { SERBIAN_DOCUMENT_WORDS } from './sr.ts';
import { RUSSIAN_DOCUMENT_WORDS } from './ru.ts';
import { UKRAINIAN_DOCUMENT_WORDS } from './uk.ts';
import { BULGARIAN_DOCUMENT_WORDS } from './bg.ts';
import { GREEK_DOCUMENT_WORDS } from './el.ts';
import { ARMENIAN_DOCUMENT_WORDS } from './hy.ts';
import { HUNGARIAN_DOCUMENT_WORDS } from './hu.ts';
import { LITHUANIAN_DOCUMENT_WORDS } from './lt.ts';
import { LATVIAN_DOCUMENT_WORDS } from './lv.ts';
import { ARABIC_DOCUMENT_WORDS } from './ar.ts';
import { HINDI_DOCUMENT_WORDS } from './hi.ts';
import { TAMIL_DOCUMENT_WORDS } from './ta.ts';
import { KOREAN_DOCUMENT_WORDS } from './ko.ts';
import { THAI_DOCUMENT_WORDS } from './th.ts';
import { CHINESE_DOCUMENT_WORDS } from './zh.ts';
import { JAPANESE_DOCUMENT_WORDS } from './ja.ts';
import { joinAlternatives } from '../words/alternatives.ts';
import type { DocumentWords } from './pack.ts';

/**
 * Words of all languages for splitting and reading documents. Alternatives of patterns are tried in this order, so
 * languages come after those with longer forms of the same words: "figura" before "Figur".
 */
export const DOCUMENT_WORDS: readonly DocumentWords[] = [
  ENGLISH_DOCUMENT_WORDS,
  FRENCH_DOCUMENT_WORDS,
  SPANISH_DOCUMENT_WORDS,
  PORTUGUESE_DOCUMENT_WORDS,
  ITALIAN_DOCUMENT_WORDS,
  ROMANIAN_DOCUMENT_WORDS,
  SWEDISH_DOCUMENT_WORDS,
  NORWEGIAN_DOCUMENT_WORDS,
  DANISH_DOCUMENT_WORDS,
  GERMAN_DOCUMENT_WORDS,
  DUTCH_DOCUMENT_WORDS,
  FINNISH_DOCUMENT_WORDS,
  TURKISH_DOCUMENT_WORDS,
  INDONESIAN_DOCUMENT_WORDS,
  VIETNAMESE_DOCUMENT_WORDS,
  IRISH_DOCUMENT_WORDS,
  POLISH_DOCUMENT_WORDS,
  CZECH_DOCUMENT_WORDS,
  SLOVAK_DOCUMENT_WORDS,
  SERBIAN_DOCUMENT_WORDS,
  RUSSIAN_DOCUMENT_WORDS,
  UKRAINIAN_DOCUMENT_WORDS,
  BULGARIAN_DOCUMENT_WORDS,
  GREEK_DOCUMENT_WORDS,
  ARMENIAN_DOCUMENT_WORDS,
  HUNGARIAN_DOCUMENT_WORDS,
  LITHUANIAN_DOCUMENT_WORDS,
  LATVIAN_DOCUMENT_WORDS,
  ARABIC_DOCUMENT_WORDS,
  HINDI_DOCUMENT_WORDS,
  TAMIL_DOCUMENT_WORDS,
  KOREAN_DOCUMENT_WORDS,
  THAI_DOCUMENT_WORDS,
  CHINESE_DOCUMENT_WORDS,
  JAPANESE_DOCUMENT_WORDS,
];

/** Returns alternatives of a pattern: the parts of all languages. */
export function documentParts(select: (words: DocumentWords) => string | undefined): string {
  return joinAlternatives(DOCUMENT_WORDS.flatMap((words) => select(words) ?? []));
}
