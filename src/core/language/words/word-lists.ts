/*
 * Lists of words for several rules. Words of a single rule, such as negations, are in its file. All words are in lower
 * case and have their accents.
 */

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

/** Returns a heading without its number and the surrounding marks. */
export function bareHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
}

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
