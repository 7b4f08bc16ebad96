import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import { codeBlocks } from './code-blocks.ts';
import type { QuestionKind } from './question-kinds.ts';
import { FORM_TERMS } from './question-kinds.ts';
import type { Word } from './terms.ts';
import { termsOf, termsOfWord, wordsOf } from './terms.ts';
import type { Unit, UnitKind } from './units.ts';
import { isLabel } from './labels.ts';
import { LEANS_BACK } from './quote-spans.ts';
import { unitsOf } from './units.ts';
import { isHeader } from './table-header.ts';
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

export interface Weighing {
  readonly kind: QuestionKind;
  /** The terms that are asked for. */
  readonly asked: readonly string[];
  /** How much more a text tells by its form. */
  readonly rule: (text: string) => number;
  /** What is asked for word by word. */
  readonly literals: readonly string[];
  /** Whether the question names another source. */
  readonly isElsewhere: boolean;
}

const RANK_DECAY = 0.06;
const FEW_WORDS = 4;
const MANY_LINES = 20;
/** The first sentence under the heading of what is asked for, and what follows it there. */
const OPENING = 1.35;
const DEFINING_OPENING = 1.8;
const NAMING_OPENING = 1.25;
const UNDER_ITS_HEADING = 1.15;
/** What is answered by words rather than by code. */
const TOLD_IN_WORDS: ReadonlySet<QuestionKind> = new Set([
  'comparison',
  'definition',
  'list',
  'reason',
  'time',
]);
/** A heading is that of what is asked where the question has so much of it. */
const SHARE_OF_HEADING = 0.6;
const SHARE_OF_DEFINED = 0.34;
/** A label stands below every heading. */
const LEVEL_OF_LABELS = 7;
/** A source beside the one that the question names. */
const ELSEWHERE = 0.6;
const CALLS_IT = 1.25;
/** What is asked for word by word, and where it comes first. */
const LITERAL = 1.3;
const LITERAL_FIRST = 2.2;
/** A list or table, where one is asked for. */
const A_LIST = 1.5;

/** What of a passage may be quoted, its parts and, where a list is asked for, its lists and tables whole. */
export function candidatesOf(passage: FoundPassage, rank: number, weighing: Weighing): Candidate[] {
  const { text, format } = passage;
  const units: readonly Unit[] =
    format === 'code'
      ? codeBlocks(text).map((block) => ({ ...block, kind: 'line' as const }))
      : unitsOf(text, format).filter((unit) => !isBare(text, unit));
  const titles = new Set(
    termsOf([passage.sourceTitle, passage.documentTitle, passage.documentKey].join('\n')),
  );
  const inSource = weighing.isElsewhere ? ELSEWHERE : 1;
  const decay = 1 / (1 + RANK_DECAY * rank);
  const candidates: Candidate[] = [];
  for (const section of sectionsOf(passage, units)) {
    const inContext = new Set([...titles, ...section.headings.flatMap(termsOf)]);
    const title = section.headings.at(-1) ?? '';
    const heading = termsOf(title);
    const isIts = section.isHeaded && isHeadingOf(title, titles, weighing);
    const isValue = weighing.kind === 'value' || weighing.kind === 'amount';
    const ownLiteral = section.isHeaded ? literal(title, weighing.literals) : 1;
    for (const [index, unit] of section.units.entries()) {
      if (isTail(text, unit) || (unit.kind === 'row' && isHeader(text, unit.end))) continue;
      const words = text.slice(unit.start, unit.end);
      const candidate = { ...unit, passage, text: words, words: wordsOf(words), inContext };
      const terms = new Set(candidate.words.flatMap(termsOfWord));
      const before = section.units[index - 1];
      const leansOn = LEANS_BACK.test(words) && before?.kind === 'sentence' ? before : undefined;
      const isOpening = isIts && index === 0;
      // A definition that stands first under the heading of a thing leaves out its name.
      candidates.push({
        ...candidate,
        leansOn: new Set([
          ...(isIts && isValue ? heading : []),
          ...(leansOn === undefined ? [] : termsOf(text.slice(leansOn.start, leansOn.end))),
        ]),
        // What stands first under the heading of a thing speaks of it, whether it names it or not.
        terms: isOpening ? new Set([...terms, ...heading]) : terms,
        factor:
          weighing.rule(words) *
          formOf(unit, words, candidate.words.length, weighing.kind) *
          openingOf(isOpening, section.headings.length <= 1, terms, weighing) *
          (isIts ? UNDER_ITS_HEADING : 1) *
          Math.max(literal(words, weighing.literals), ownLiteral) *
          (weighing.kind === 'way' && unit.kind === 'fence' && callsOneOf(words, weighing.asked)
            ? CALLS_IT
            : 1) *
          inSource *
          decay,
      });
    }
    if (weighing.kind === 'list') {
      const whole = isIts ? wholeSection(section.within) : undefined;
      for (const list of [...listsOf(text, section.units), ...(whole === undefined ? [] : [whole])]) {
        const words = wordsOf(text.slice(list.start, list.end));
        const lead = list.lead === undefined ? '' : text.slice(list.lead.start, list.lead.end);
        const isOfIt = [...heading, ...termsOf(lead)].some((term) => weighing.asked.includes(term));
        candidates.push({
          ...list,
          kind: 'list',
          passage,
          text: text.slice(list.start, list.end),
          words: wordsOf(lead),
          // A list is of what its heading and the line before it say.
          terms: new Set([...heading, ...words.flatMap(termsOfWord)]),
          leansOn: new Set(),
          inContext,
          factor: (isOfIt ? A_LIST : 1) * (isIts ? OPENING : 1) * inSource * decay,
        });
      }
    }
  }
  return candidates;
}

/** What stands first under a heading tells most of it; as a definition the most where it leaves out the name. */
function openingOf(
  isOpening: boolean,
  isOfAll: boolean,
  terms: ReadonlySet<string>,
  { kind, asked }: Weighing,
): number {
  if (!isOpening) return 1;
  if (kind !== 'definition') return OPENING;
  return asked.some((term) => terms.has(term)) ? (isOfAll ? NAMING_OPENING : 1) : DEFINING_OPENING;
}

/** Whether code calls something that goes by a word of the question. */
function callsOneOf(code: string, asked: readonly string[]): boolean {
  return Array.from(code.matchAll(/([\p{L}_][\p{L}\p{N}_]*)\(/gu)).some(([, name = '']) =>
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

interface Section {
  /** From the outermost to the nearest. */
  readonly headings: readonly string[];
  /** Whether its heading stands in the passage itself, right before it. */
  readonly isHeaded: boolean;
  readonly units: Unit[];
  /** All that stands under its heading, with what stands under the headings below it. */
  readonly within: Unit[];
}

/** A passage cut at its headings, each part with the headings that it stands under. */
function sectionsOf(
  { text, format, start, headings, sourceTitle }: FoundPassage,
  units: readonly Unit[],
): Section[] {
  // What a document begins with stands under its title, whether that is a heading of its text or not.
  const first =
    start === 0
      ? { headings: [sourceTitle.replace(/\.\w+$/, '')], isHeaded: true }
      : { headings, isHeaded: false };
  const sections: (Section & { readonly level: number })[] = [{ ...first, level: 0, units: [], within: [] }];
  let open = [...sections];
  let path: { readonly level: number; readonly title: string }[] = [];
  for (const unit of units) {
    if (unit.kind !== 'heading' && !isLabel(text, unit, format)) {
      sections.at(-1)?.units.push(unit);
      for (const section of open) section.within.push(unit);
      continue;
    }
    const line = text.slice(unit.start, unit.end);
    const level = /^#+/.exec(line)?.[0].length ?? LEVEL_OF_LABELS;
    path = [
      ...path.filter((above) => above.level < level),
      { level, title: line.replace(/^#+\s*|<!--.*?-->|\]\([^)]*\)/g, '').trim() },
    ];
    for (const section of open) if (section.level < level) section.within.push(unit);
    const section = {
      headings: path.map(({ title }) => title),
      isHeaded: true,
      level,
      units: [],
      within: [],
    };
    sections.push(section);
    open = [...open.filter((above) => above.level < level), section];
  }
  return sections.filter((section) => section.within.length > 0);
}

/** Whether a heading is that of what is asked: it says all of it, or nothing else and at least half of it. What the title says is not asked again. */
function isHeadingOf(
  title: string,
  titles: ReadonlySet<string>,
  { kind, asked, literals }: Weighing,
): boolean {
  const heading = termsOf(title);
  if (heading.length === 0 || asked.length === 0) return false;
  const beyondTitle = asked.filter((term) => !titles.has(term) && (kind === 'list' || !FORM_TERMS.has(term)));
  const wanted = beyondTitle.length > 0 ? beyondTitle : asked;
  const shared = wanted.filter((term) => heading.includes(term)).length;
  const known = heading.filter((term) => asked.includes(term) || titles.has(term)).length;
  const isWhole = shared === wanted.length && literals.every((literal) => title.includes(literal));
  if (kind === 'definition' && isWhole && known >= SHARE_OF_DEFINED * heading.length) return true;
  return known >= SHARE_OF_HEADING * heading.length && shared > 0 && 2 * shared >= wanted.length;
}

/** Whether a unit is the end of a block of code whose beginning stands in no passage. */
function isTail(text: string, { kind, start }: Unit): boolean {
  return kind === 'fence' && !/^[ \t>]*(?:`{3}|~{3})[^\n]*\n[ \t]*\S/.test(text.slice(start));
}

/** Dots that lead to a page number. */
const LEADERS = /(?:\.\s?){5,}/;

/** Whether a unit holds nothing but links, images and tags, as badges and tables of contents do. */
function isBare(text: string, { start, end, kind }: Unit): boolean {
  if (kind === 'heading' || kind === 'fence' || kind === 'row') return false;
  const unit = text.slice(start, end);
  if (LEADERS.test(unit)) return true;
  if (!/[[<]/.test(unit)) return false;
  const rest = unit
    .replace(/!?\[(?:[^[\]]|\[[^\]]*\](?:\([^)]*\))?)*\](?:\([^)]*\)|\[[^\]]*\])/g, ' ')
    .replace(/<[^>]*>|https?:\/\/\S+|!?\[[^\]]*\]?\(?/g, ' ');
  return wordsOf(rest).length < 2;
}

/** How well a unit reads as an answer by its form alone. */
function formOf({ kind }: Unit, text: string, words: number, asked: QuestionKind): number {
  const lines = kind === 'fence' ? text.split('\n').length : 0;
  const isCut = kind === 'fence' && !/\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/.test(text);
  return (
    (words < FEW_WORDS ? 0.5 : 1) *
    (text.endsWith('?') ? 0.5 : 1) *
    (lines > MANY_LINES ? MANY_LINES / lines : 1) *
    (isCut ? 0.5 : 1) *
    (kind === 'fence' && TOLD_IN_WORDS.has(asked) ? 0.6 : 1)
  );
}
