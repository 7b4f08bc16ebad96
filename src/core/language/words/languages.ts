import { ENGLISH } from '../packs/en.ts';
import { GERMAN } from '../packs/de.ts';
import { FRENCH } from '../packs/fr.ts';
import { SPANISH } from '../packs/es.ts';
import { ITALIAN } from '../packs/it.ts';
import { PORTUGUESE } from '../packs/pt.ts';
import { DUTCH } from '../packs/nl.ts';
import { SWEDISH } from '../packs/sv.ts';
import { NORWEGIAN } from '../packs/no.ts';
import { DANISH } from '../packs/da.ts';
import { FINNISH } from '../packs/fi.ts';
import { HUNGARIAN } from '../packs/hu.ts';
import { ROMANIAN } from '../packs/ro.ts';
import { TURKISH } from '../packs/tr.ts';
import { RUSSIAN } from '../packs/ru.ts';
import { UKRAINIAN } from '../packs/uk.ts';
import { GREEK } from '../packs/el.ts';
import { ARABIC } from '../packs/ar.ts';
import { ARMENIAN } from '../packs/hy.ts';
import { BULGARIAN } from '../packs/bg.ts';
import { HINDI } from '../packs/hi.ts';
import { INDONESIAN } from '../packs/id.ts';
import { IRISH } from '../packs/ga.ts';
import { LITHUANIAN } from '../packs/lt.ts';
import { NEPALI } from '../packs/ne.ts';
import { SERBIAN } from '../packs/sr.ts';
import { TAMIL } from '../packs/ta.ts';
import { CHINESE } from '../packs/zh.ts';
import { JAPANESE } from '../packs/ja.ts';
import { KOREAN } from '../packs/ko.ts';
import { ICELANDIC } from '../packs/is.ts';
import { POLISH } from '../packs/pl.ts';
import { CZECH } from '../packs/cs.ts';
import { SLOVAK } from '../packs/sk.ts';
import { LATVIAN } from '../packs/lv.ts';
import { ESTONIAN } from '../packs/et.ts';
import type { LanguagePack, LanguageRules } from '../packs/pack.ts';

/**
 * Languages that passages are stemmed in. English comes first and is the default. Snapshots store languages by their
 * index, in at most 29 bits, so append only.
 */
export const LANGUAGES: readonly [LanguagePack, ...LanguagePack[]] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  SWEDISH,
  NORWEGIAN,
  DANISH,
  FINNISH,
  HUNGARIAN,
  ROMANIAN,
  TURKISH,
  RUSSIAN,
  UKRAINIAN,
  GREEK,
  ARABIC,
  ARMENIAN,
  BULGARIAN,
  HINDI,
  INDONESIAN,
  IRISH,
  LITHUANIAN,
  NEPALI,
  SERBIAN,
  TAMIL,
];

/** All languages, also those with rules only. */
export const ALL_LANGUAGES: readonly LanguageRules[] = [
  ...LANGUAGES,
  CHINESE,
  JAPANESE,
  KOREAN,
  ICELANDIC,
  POLISH,
  CZECH,
  SLOVAK,
  LATVIAN,
  ESTONIAN,
];

const placeOfCode = new Map(LANGUAGES.map(({ code }, place) => [code, place]));
// Norwegian also has the codes of its two written forms.
for (const written of ['nb', 'nn']) placeOfCode.set(written, placeOfCode.get('no') ?? 0);

/** Returns the index of a language by a tag such as `pt-BR`; undefined if it isn't in the list. */
export function languageByTag(tag: string | undefined): number | undefined {
  return placeOfCode.get(tag?.replace(/[-_].*/s, '').toLowerCase() ?? '');
}
