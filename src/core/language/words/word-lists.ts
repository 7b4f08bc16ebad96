/*
 * Lists of words for several rules. Words of a single rule, such as negations, are in its file. All words are in lower
 * case and have their accents.
 */

/** English words that ask or join, in addition to the library's list. */
export const MORE_STOP_WORDS: readonly string[] = (
  'a also done else etc get gets got just like many much need please since tell therefore thus upon ' +
  'use used uses using via want way well whether whose within without yet'
).split(' ');

/**
 * English filler words that are ignored when sentences are compared. Search keeps them: `list`, `mean`, and `find` are
 * also functions.
 */
export const TALKING_WORDS: ReadonlySet<string> = new Set(
  (
    'actually among another anyone describe et ever every exactly explain find give gives happen happens however ' +
    'instead know let list mean means named per really show still though yes'
  ).split(' '),
);

/** Words with which an English question refers to its text instead of its subject: "mentioned in the article". */
const ASKING =
  /\b(?:cited|described|discussed|highlighted|listed|mentioned|noted|outlined|referenced|stated)\b/gi;

/**
 * Removes the words of a question that only ask. They are rare in texts and would outweigh the subject: without them,
 * questions over prose score half a point more (`npm run bench -- passages`).
 */
export function withoutAskingWords(question: string): string {
  return question.replace(ASKING, ' ');
}

/** Phrases that make sense only to a reader of the passage. */
const OF_THE_PASSAGE =
  /\b(?:(?:this|the|given|above|following) (?:passage|text|excerpt|document|article|section|snippet|context|author)|according to (?:it|the (?:passage|text)))\b/i;

/** Reports whether a question refers to its passage: "What does the text say of tea?" */
export function speaksOfPassage(question: string): boolean {
  return OF_THE_PASSAGE.test(question);
}

/** Words for an aspect of something else. A question with nothing else is incomplete. */
export const ASPECT_WORDS: readonly string[] = (
  'example code default difference detail limit reason option alternative exception syntax setting value step better ' +
  'best faster slower cheaper safer easier ' +
  'beispiel unterschied grund grenze nachteil vorteil exemple différence raison ejemplo diferencia razón esempio ' +
  'differenza exemplo diferença voorbeeld verschil reden пример разница причина'
).split(' ');

/** Question words of languages whose stop word lists lack some. */
export const QUESTION_WORDS: readonly string[] = (
  'warum wieso weshalb wann wo wie wer wozu was welche kann que quoi qui quand comment combien pourquoi où qué quién cuándo ' +
  'cómo cuánto dónde puede che chi come quando quanto perché dove como quem onde hoe wat wie waar wanneer waarom kan ' +
  'что кто как когда где почему зачем сколько чего можно'
).split(' ');

/** Contrasting words, which begin another statement. */
export const TURNING_WORDS: readonly string[] = (
  'but however though although while whereas aber jedoch doch sondern während obwohl mais cependant toutefois tandis ' +
  'pero sino aunque mientras ma però tuttavia mentre но однако а хотя'
).split(' ');

/** Words that only connect a sentence with the one before it, and leave its meaning as it is. */
export const CONNECTING_WORDS: readonly string[] =
  'and but however und aber jedoch doch et mais cependant toutefois y pero e ma però и но однако а'.split(
    ' ',
  );

/**
 * Words without a meaning of their own between the row, the column, and the value of a table's cell. Others may change
 * it: "until 2022", "up to 90", "should be".
 */
export const NEUTRAL_WORDS: readonly string[] = (
  'a an the of in for at by was is are were be been had has have it its there ' +
  'der die das dem den des ein eine einen einem einer eines im am bei für von vom war waren ist sind hat hatte hatten es gab ' +
  'le la les un une des du de en dans au aux est sont était étaient avait avaient il y ' +
  'el los las del era eran fue fueron es son lo gli i di nel nella della dei è erano'
).split(' ');

/** Words that give a reason or a condition. */
export const REASON_WORDS: readonly string[] =
  'because if when unless since that weil parce porque perché потому'.split(' ');

/** Words that add a clause. */
export const ADDING_WORDS: readonly string[] = 'and which who whose where und et y e и'.split(' ');

/** Headings of sections that are not about the subject of a document. */
const SECTIONS_BESIDE =
  'acknowledgement,acknowledgements,acknowledgment,acknowledgments,bibliography,changelog,contents,contributing,' +
  'contributors,index,licence,license,references,see also,table of contents';
/** Generic headings that occur in any document. */
const USUAL_SECTIONS =
  'abstract,about,appendix,chapter,conclusion,conclusions,discussion,faq,introduction,note,notes,overview,preface,' +
  'readme,result,results,section,sections,summary,todo';
const HEADINGS_BESIDE = new Set(SECTIONS_BESIDE.split(','));
const USUAL_HEADINGS = new Set(['', ...USUAL_SECTIONS.split(',')]);

/** Reports whether the section of a heading isn't about the subject, like references. */
export function isBeside(heading: string): boolean {
  return HEADINGS_BESIDE.has(bareHeading(heading));
}

/** Reports whether a heading is generic, such as "3. Results". */
export function isUsual(heading: string): boolean {
  return USUAL_HEADINGS.has(bareHeading(heading)) || isBeside(heading);
}

/** Headings of sections that summarize a document, in the languages of follow-ups. */
const FIRST_SECTIONS =
  'abstract,summary,introduction,zusammenfassung,einleitung,kurzfassung,résumé,resumen,introducción,riassunto,sommario,' +
  'introduzione,resumo,introdução,samenvatting,inleiding,аннотация,резюме,введение,摘要,概要,引言,前言,要約,はじめに,초록,' +
  'özet,giriş,ملخص,الملخص,مقدمة,المقدمة';
const OTHER_SECTIONS =
  'conclusion,conclusions,overview,key points,key findings,tl dr,tldr,fazit,einführung,überblick,übersicht,' +
  'schlussfolgerung,schlussfolgerungen,synthèse,aperçu,conclusión,conclusiones,conclusione,conclusioni,panoramica,' +
  'conclusão,conclusões,conclusie,conclusies,overzicht,заключение,выводы,обзор,总结,結論,结论,概述,简介,まとめ,sonuç,' +
  'sonuçlar,genel bakış,خاتمة,الخاتمة,خلاصة';
/** Labels of keywords on the first page of a paper. */
const KEYWORDS =
  'keywords,key words,schlüsselwörter,schlagwörter,mots clés,palabras clave,parole chiave,palavras chave,trefwoorden,' +
  'ключевые слова,关键词,關鍵詞,キーワード,anahtar kelimeler,anahtar sözcükler,الكلمات المفتاحية';
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HEADINGS_OF_THE_WHOLE = `${FIRST_SECTIONS},${OTHER_SECTIONS}`.split(',');
const BEGINNINGS = `${FIRST_SECTIONS},${KEYWORDS}`.split(',');
/** Maximum length of a line's beginning that shows its section, in UTF-16 code units. */
const MAX_OPENING_LENGTH = 60;

/**
 * Reports whether a heading starts a section that summarizes the document: "1. Introduction", "Conclusion and outlook".
 */
export function isOfTheWhole(heading: string): boolean {
  return beginsWithAny(bareHeading(heading), HEADINGS_OF_THE_WHOLE);
}

/** Reports whether a line starts the text of a paper after its front matter: "Abstract. We show", "I. Introduction". */
export function beginsWork(line: string): boolean {
  const bare = bareHeading(line.slice(0, MAX_OPENING_LENGTH)).replace(/^i (?=\p{L})/u, '');
  return beginsWithAny(bare, BEGINNINGS);
}

function beginsWithAny(bare: string, sections: readonly string[]): boolean {
  return sections.some(
    (section) => bare === section || bare.startsWith(WITHOUT_SPACES.test(section) ? section : `${section} `),
  );
}

/** Returns a heading without its number and the surrounding marks. */
function bareHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
}

/**
 * Conjunctions before the last item, as part of a pattern, without words that join names in another language: Polish
 * "i" is in Catalan names.
 */
export const AND_WORDS = 'and|und|sowie|et|y|e|ed|en|och|og|ja|oraz|ve|și|és|και|и|і|та';

/** Particles of family names, as in "Ludwig van Beethoven". */
export const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'af al bin da dal de del della den der di dos du el la le ten ter van von zu zum zur'.split(' '),
);

/** Small words of titles, which aren't specific enough for a key. */
export const SMALL_TITLE_WORDS: ReadonlySet<string> = new Set(
  'a an and das der die el for in la le les of on the to un une with'.split(' '),
);

/** English words for places in a row, from the first on. */
export const ORDINAL_WORDS: readonly string[] =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

const SMALL_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety hundred';
/** English number words. "First" usually orders statements, and "second" is also a unit of time. */
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...SMALL_NUMBERS.split(' ').map((word, value) => [word, String(value)] as const),
  ...TENS.split(' ').map((word, tens) => [word, String(10 * (tens + 2))] as const),
  ['hundreds', '100'],
  ['thousand', '1000'],
  ['thousands', '1000'],
  ['million', '1000000'],
  ['dozen', '12'],
  ...ORDINAL_WORDS.map(
    (word, index) => [word, index === 2 ? '3rd' : `${String(index + 1)}th`] as const,
  ).slice(2),
]);
