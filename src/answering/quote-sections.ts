import type { FoundPassage } from '../notebook/passage.ts';
import { isLabel } from './labels.ts';
import type { QuestionKind } from './question-kinds.ts';
import { FORM_TERMS } from './question-kinds.ts';
import { termsOf } from './terms.ts';
import type { Unit } from './units.ts';

/** What is asked of a passage. */
export interface Wanted {
  readonly kind: QuestionKind;
  /** The terms that are asked for. */
  readonly asked: readonly string[];
  /** What is asked for word by word. */
  readonly literals: readonly string[];
}

/** A part of a passage under one heading or label. */
export interface Section {
  /** From the outermost to the nearest. */
  readonly headings: readonly string[];
  /** Whether its heading stands right before it. */
  readonly isHeaded: boolean;
  readonly units: readonly Unit[];
  /** All that stands under its heading, with what stands under the headings below it. */
  readonly within: readonly Unit[];
}

interface OpenSection extends Section {
  readonly level: number;
  readonly units: Unit[];
  readonly within: Unit[];
}

/** A label stands below every heading. */
const LEVEL_OF_LABELS = 7;
/** A heading is that of what is asked where the question has so much of it; of what is defined it may say more. */
const SHARE_OF_HEADING = 0.6;
const SHARE_OF_DEFINED = 0.34;

/** The units of a passage, cut at its headings and labels. */
export function sectionsOf(passage: FoundPassage, units: readonly Unit[]): readonly Section[] {
  const { text, format, start, headings, sourceTitle } = passage;
  // What a document begins with stands under its title, whether that is a heading of its text or not.
  const isBeginning = start === 0;
  const above = isBeginning ? [withoutEnding(sourceTitle)] : headings;
  const first: OpenSection = { headings: above, isHeaded: isBeginning, level: 0, units: [], within: [] };
  const sections = [first];
  let open = [first];
  let path = isBeginning ? [] : headings.map((title, i) => ({ level: i + 1, title }));
  for (const unit of units) {
    if (unit.kind !== 'heading' && !isLabel(text, unit, format)) {
      sections.at(-1)?.units.push(unit);
      for (const section of open) section.within.push(unit);
      continue;
    }
    const line = text.slice(unit.start, unit.end);
    const level = /^#+/.exec(line)?.[0].length ?? LEVEL_OF_LABELS;
    path = [...path.filter((each) => each.level < level), { level, title: titleIn(line) }];
    open = open.filter((each) => each.level < level);
    for (const section of open) section.within.push(unit);
    const titles = path.map(({ title }) => title);
    const section: OpenSection = { headings: titles, isHeaded: true, level, units: [], within: [] };
    sections.push(section);
    open = [...open, section];
  }
  return sections.filter((section) => section.within.length > 0);
}

/** A heading without its marks, the addresses of its links, and comments. */
export function titleIn(line: string): string {
  return line.replace(/^#+\s*|<!--.*?-->|\]\([^)]*\)/g, '').trim();
}

/** The title of a file without its ending. */
export function withoutEnding(title: string): string {
  return title.replace(/\.\w+$/, '');
}

/**
 * Whether a heading is that of what is asked: it says all of it, or little else and at least half of it. What the
 * document's title says (`titles`) is not asked of the heading again.
 */
export function isHeadingOf(
  title: string,
  titles: ReadonlySet<string>,
  { kind, asked, literals }: Wanted,
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
