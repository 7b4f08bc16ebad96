import { english } from '../packs/en.ts';
import { german } from '../packs/de.ts';
import { french } from '../packs/fr.ts';
import { spanish } from '../packs/es.ts';
import { italian } from '../packs/it.ts';
import { portuguese } from '../packs/pt.ts';
import { dutch } from '../packs/nl.ts';
import { swedish } from '../packs/sv.ts';
import { norwegian } from '../packs/no.ts';
import { danish } from '../packs/da.ts';
import { finnish } from '../packs/fi.ts';
import { hungarian } from '../packs/hu.ts';
import { romanian } from '../packs/ro.ts';
import { turkish } from '../packs/tr.ts';
import { russian } from '../packs/ru.ts';
import { ukrainian } from '../packs/uk.ts';
import { greek } from '../packs/el.ts';
import { arabic } from '../packs/ar.ts';
import { armenian } from '../packs/hy.ts';
import { bulgarian } from '../packs/bg.ts';
import { hindi } from '../packs/hi.ts';
import { indonesian } from '../packs/id.ts';
import { irish } from '../packs/ga.ts';
import { lithuanian } from '../packs/lt.ts';
import { nepali } from '../packs/ne.ts';
import { serbian } from '../packs/sr.ts';
import { tamil } from '../packs/ta.ts';
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
export const languages: readonly [LanguagePack, ...LanguagePack[]] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  swedish,
  norwegian,
  danish,
  finnish,
  hungarian,
  romanian,
  turkish,
  russian,
  ukrainian,
  greek,
  arabic,
  armenian,
  bulgarian,
  hindi,
  indonesian,
  irish,
  lithuanian,
  nepali,
  serbian,
  tamil,
];

/** All languages, also those with rules only. */
export const allLanguages: readonly LanguageRules[] = [
  ...languages,
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

const placeOfCode = new Map(languages.map(({ code }, place) => [code, place]));
// Norwegian also has the codes of its two written forms.
for (const written of ['nb', 'nn']) placeOfCode.set(written, placeOfCode.get('no') ?? 0);

/** Returns the index of a language by a tag such as `pt-BR`; undefined if it isn't in the list. */
export function languageByTag(tag: string | undefined): number | undefined {
  return placeOfCode.get(tag?.replace(/[-_].*/s, '').toLowerCase() ?? '');
}
