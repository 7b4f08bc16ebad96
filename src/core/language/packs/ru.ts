import { stemmer } from '@orama/stemmers/russian';
import { stopwords } from '@orama/stopwords/russian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const russian: LanguagePack = {
  name: 'russian',
  code: 'ru',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: { ahead: 'не нет ни никогда нельзя без никто ничто ничего', except: 'только лишь', or: 'или' },
  followUps: {
    continuation:
      /^(?:а|и|но|или|тогда|так|ещё|например|а что насчёт|как насчёт|как[а-я]{2} из)(?= )|^(?:а )?(?:почему|как|когда|где|кто|зачем|как(?:ой|ая|ое|ие)|сколько|продолжай|подробнее)(?: нет| не| ещё)?$|(?<!\p{L})пример$/iu,
    pointsBack:
      /(?<!\p{L})(?:из них|(?:сколько|как|почему|зачем|когда|где|что) это|это(?=$| (?:стоит|касается|значит|означает|работает|сделать|нужно|можно|возможно|бесплатно|тоже|также|и|для|так)(?!\p{L}))|(?:после|до|для|без|из|от|кроме|при) этого|об? этом)(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:он[аои]?|н?его|н?ему|н?ей|н?её|н?ими?|них|их|ним)(?!\p{L})/iu,
    item: /(?<!\p{L})(перв|втор|трет|четв[её]рт|пят|последн)\p{L}{1,3}(?=$|,| (?:вариант|пункт|шаг|способ|метод|пример|из)(?!\p{Ll}{4}))/iu,
  },
  enumerations: {
    leads: 'это|включа(?:ет|ют)|поддержива(?:ет|ют)|таки(?:е|х) как|а именно|например|между',
    joins: 'и|или',
  },
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: {
    questions: 'что кто как когда где почему зачем сколько чего можно',
    aspects: 'пример разница причина',
    contrasts: 'но однако а хотя',
    connectors: 'и но однако а',
    reasons: 'потому',
    additions: 'и',
    fillers: '',
    numbers: 'один два три четыре пять шесть семь восемь девять десять',
  },
  sections: {
    summaries: 'аннотация, резюме, введение',
    overviews: 'заключение, выводы, обзор',
    keywords: 'ключевые слова',
  },
  dates: { to: 'по до и', beforeYear: 'в с от до году между', afterYear: 'году|года|год|г\\.|г' },
  definitions: {
    sentences: [
      '{term} ?[–—-] это {rest}',
      '{term} (?:называют|называется|называются) {rest}',
      'под {term} понима(?:ют|ется) {rest}',
    ],
    references: 'это|он|она',
  },
  units: undefined,
};

export const RUSSIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'акад, доц, канд, напр, о, оз, пер, пл, пос, проф, ред, св, сост, ср, т. е, т. к, т. н, тов, ул',
    numbered: 'вып, гл, д, кв, корп, ок, п, пп, прим, разд, рис, с, ст, стр, т, табл, тел, ч',
    // "в г. Томск": a year can end like this, too.
    tied: ['(?<!\\p{L})(?:[ВвУу]|[Ии]з)\\s[гм]'],
    // "см. рис. 3", unlike centimeters.
    notAfterNumber: '[Сс]м',
  },
  figures: { names: 'рис(?:унок|унк[аеуи])?', pluralEndings: 'и', tables: 'табл(?:ица)?|листинг' },
};
