import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import { formOf, isQuotable, tellingUnits } from './quotable-units.ts';
import type { Section, Wanted } from './quote-sections.ts';
import { isHeadingOf, sectionsOf } from './quote-sections.ts';
import { LEANS_BACK } from './quote-spans.ts';
import { headerAbove } from './table-header.ts';
import type { Word } from './terms.ts';
import { termsOf, termsOfWord, wordsOf } from './terms.ts';
import type { Unit, UnitKind } from './units.ts';
import { listsOf, wholeSection } from './whole-lists.ts';

/** What may be quoted: a unit of a passage, or a whole list or table. */
export interface Candidate extends Span {
  readonly kind: UnitKind | 'list';
  readonly passage: FoundPassage;
  readonly text: string;
  readonly words: readonly Word[];
  readonly terms: ReadonlySet<string>;
  /** What it tells, apart from which terms: by its rank, kind and wording. */
  readonly factor: number;
  /** The terms of the sentence before it, where it goes on from that, and of its heading where that is what is asked. */
  readonly leansOn: ReadonlySet<string>;
  /** The terms of the titles and headings that it stands under. */
  readonly inContext: ReadonlySet<string>;
}

export interface Weighing extends Wanted {
  /** How much more a text tells by its form. */
  readonly rule: (text: string) => number;
  /** Whether it names something as code does. */
  readonly namesCode: boolean;
  /** Whether how to install something is asked for. */
  readonly asksToInstall: boolean;
  /** Whether the question names another source. */
  readonly isElsewhere: boolean;
}

/** A section of a passage, made ready to be quoted from. */
interface Place {
  readonly passage: FoundPassage;
  readonly section: Section;
  /** The terms of its heading, and of all titles and headings above it. */
  readonly heading: readonly string[];
  readonly inContext: ReadonlySet<string>;
  /** Whether it stands under the heading of what is asked. */
  readonly isIts: boolean;
  /** How much more all in it tells. */
  readonly factor: number;
}

const RANK_DECAY = 0.06;
/** A source beside the one that the question names. */
const ELSEWHERE = 0.6;
/** The first sentence under the heading of what is asked for, and what follows it there. */
const OPENING = 1.35;
const UNDER_ITS_HEADING = 1.15;
/** The same where a definition is asked for and the name is left out, as under a heading; or told at a document's beginning. */
const DEFINING_OPENING = 1.8;
const NAMING_OPENING = 1.25;
/** Documents begin with what they are about: so much of them, in UTF-16 code units. */
const BEGINNING = 1200;
const AT_BEGINNING = 1.2;
/** Code that calls what is asked for, where it is asked how. */
const CALLS_IT = 1.25;
/** What is told in prose, where code is found. */
const IN_CODE = 0.7;
/** A sentence that code follows. */
const LEADS_TO_CODE = 1.15;
/** The first code under the heading of what is asked. */
const FIRST_CODE = 1.2;
/** What is asked for word by word, and where it comes first. */
const LITERAL = 1.3;
const LITERAL_FIRST = 2.2;
/** A list or table, where one is asked for. */
const A_LIST = 1.5;

/** What of a passage may be quoted: its parts and, where a list is asked for, its lists, tables and sections whole. */
export function candidatesOf(passage: FoundPassage, rank: number, weighing: Weighing): readonly Candidate[] {
  const { sourceTitle, documentTitle, documentKey } = passage;
  const titles = new Set(termsOf([sourceTitle, documentTitle, documentKey].join('\n')));
  const factor = (weighing.isElsewhere ? ELSEWHERE : 1) / (1 + RANK_DECAY * rank);
  return sectionsOf(passage, tellingUnits(passage)).flatMap((section) => {
    const title = section.headings.at(-1) ?? '';
    const place: Place = {
      passage,
      section,
      heading: termsOf(title),
      inContext: new Set([...titles, ...section.headings.flatMap(termsOf)]),
      isIts: section.isHeaded && isHeadingOf(title, titles, weighing),
      factor,
    };
    const parts = section.units.flatMap((unit, index) =>
      isQuotable(passage.text, unit) ? [partOf(place, unit, index, weighing)] : [],
    );
    return weighing.kind === 'list' ? [...parts, ...listsIn(place, weighing)] : parts;
  });
}

/** A sentence, item, row or block of code as a candidate. */
function partOf(place: Place, unit: Unit, index: number, weighing: Weighing): Candidate {
  const { passage, section, heading, inContext, isIts } = place;
  const { kind, asked, literals, rule } = weighing;
  const text = passage.text.slice(unit.start, unit.end);
  const words = wordsOf(withoutAddresses(text));
  const terms = new Set(words.flatMap(termsOfWord));
  const tells = (of: ReadonlySet<string>): boolean => asked.some((term) => of.has(term));
  const before = section.units[index - 1];
  const header = unit.kind === 'row' ? headerAbove(passage.text, section.units, index) : undefined;
  const leansOn = LEANS_BACK.test(text) && before?.kind === 'sentence' ? before : undefined;
  const isOpening =
    isIts && index === 0 && (isUnderHeading(section) || kind === 'definition' || tells(terms));
  const isOfValue = isIts && (kind === 'value' || kind === 'amount');
  const title = section.isHeaded ? (section.headings.at(-1) ?? '') : '';
  return {
    ...unit,
    passage,
    text,
    words,
    // What stands first under the heading of a thing speaks of it, whether it names it or not.
    terms: isOpening ? new Set([...terms, ...heading]) : terms,
    leansOn: new Set([
      ...(isOfValue || (index === 0 && isUnderHeading(section)) ? heading : []),
      ...(leansOn === undefined ? [] : termsOf(passage.text.slice(leansOn.start, leansOn.end))),
      ...(header === undefined ? [] : termsOf(passage.text.slice(header.start, header.end))),
    ]),
    inContext,
    factor:
      place.factor *
      rule(text) *
      formOf(unit, text, words.length, weighing) *
      (isIts ? UNDER_ITS_HEADING : 1) *
      (kind === 'definition' && passage.start + unit.start < BEGINNING ? AT_BEGINNING : 1) *
      (isOpening ? openingOf(place, terms, weighing) : 1) *
      Math.max(literal(text, literals), literal(title, literals)) *
      (kind === 'way' ? wayOf(place, unit, index, weighing) : 1) *
      (passage.format === 'code' && isToldInProse(weighing) ? IN_CODE : 1),
  };
}

/** The lists and tables of a section, and the section itself where it is that of what is asked. */
function listsIn(
  { passage, section, heading, inContext, isIts, factor }: Place,
  { asked }: Weighing,
): Candidate[] {
  const whole = isIts ? wholeSection(section.within) : undefined;
  const lists = [...listsOf(passage.text, section.units), ...(whole === undefined ? [] : [whole])];
  return lists.map(({ start, end, lead }) => {
    const text = passage.text.slice(start, end);
    const leading = lead === undefined ? '' : passage.text.slice(lead.start, lead.end);
    const isOfIt = [...heading, ...termsOf(leading)].some((term) => asked.includes(term));
    return {
      start,
      end,
      kind: 'list',
      passage,
      text,
      words: wordsOf(leading),
      // A list is of what its heading and the line before it say.
      terms: new Set([...heading, ...termsOf(text)]),
      leansOn: new Set(),
      inContext,
      factor: factor * (isOfIt ? A_LIST : 1) * (isIts ? OPENING : 1),
    };
  });
}

/** Whether a question asks for what prose tells rather than code: it names nothing by an identifier. */
function isToldInProse({ kind, namesCode }: Weighing): boolean {
  return (
    !namesCode && (kind === 'comparison' || kind === 'definition' || kind === 'reason' || kind === 'way')
  );
}

/** Whether a section stands under a heading of its own, not at the beginning of a document. */
function isUnderHeading({ headings }: Section): boolean {
  return headings.length > 1;
}

/** A text whose links are told by their words alone, of the same length. */
function withoutAddresses(text: string): string {
  return text.replace(/(?<=\])\((?:https?:)?\/\/[^\s)]*\)/g, (address) => ' '.repeat(address.length));
}

/** How much more the first sentence under the heading of what is asked tells, by whether it names it itself. */
function openingOf({ section }: Place, terms: ReadonlySet<string>, { kind, asked }: Weighing): number {
  if (kind !== 'definition') return OPENING;
  if (!asked.some((term) => terms.has(term))) return DEFINING_OPENING;
  return section.headings.length <= 1 ? NAMING_OPENING : 1;
}

/** How much more a part tells that shows how something is done: code that calls it, or the first under its heading. */
function wayOf({ passage, section, isIts }: Place, unit: Unit, index: number, { asked }: Weighing): number {
  if (unit.kind !== 'fence') return section.units[index + 1]?.kind === 'fence' ? LEADS_TO_CODE : 1;
  const code = passage.text.slice(unit.start, unit.end);
  const isFirst = !section.units.slice(0, index).some(({ kind }) => kind === 'fence');
  return (callsOneOf(code, asked) ? CALLS_IT : 1) * (isIts && isFirst ? FIRST_CODE : 1);
}

/** Whether code calls something that goes by a word of the question. */
function callsOneOf(code: string, asked: readonly string[]): boolean {
  return Array.from(code.matchAll(/(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\(/gu)).some(([, name = '']) =>
    termsOf(name).some((term) => asked.includes(term)),
  );
}

/** How much more what is asked for word by word counts, most at the beginning of an item, row or line. */
function literal(text: string, literals: readonly string[]): number {
  let worth = 1;
  for (const wanted of literals) {
    const at = text.indexOf(wanted);
    const ends = at >= 0 && !/[\p{L}\p{N}]/u.test(text.charAt(at + wanted.length));
    if (ends) worth = Math.max(worth, /[\p{L}\p{N}]/u.test(text.slice(0, at)) ? LITERAL : LITERAL_FIRST);
  }
  return worth;
}
