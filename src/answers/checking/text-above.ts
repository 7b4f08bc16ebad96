import { outlinedLineAt, outlineText, type OutlinedLine } from '../../core/language/text-outline.ts';
import { stripInjectedInstructions } from '../../core/language/prompt-injection.ts';
import type { EvidencePassage } from './evidence.ts';

/** Text above a unit of a passage, which tells what the unit is about. */
interface TextAbove {
  /** Headings of its section, outermost first. */
  readonly headings: readonly string[];
  /** Line above its list or table, and the items that contain it. */
  readonly leads: readonly string[];
}

const knownOutlines = new WeakMap<EvidencePassage, readonly OutlinedLine[]>();

/**
 * Returns the text above the unit of a passage at an index. The headings of the passage are those at its start, so
 * they don't count for a unit below another heading, except its parents.
 */
export function textAbove(source: EvidencePassage, index: number): TextAbove {
  const { passage, units } = source;
  const unit = units[index];
  if (unit === undefined || passage.format === 'code') return { headings: passage.headings, leads: [] };
  let lines = knownOutlines.get(source);
  if (lines === undefined) {
    lines = outlineText(stripInjectedInstructions(passage.text));
    knownOutlines.set(source, lines);
  }
  const line = outlinedLineAt(lines, unit.start);
  const leads = line?.leads ?? [];
  const [first] = line?.headings ?? [];
  if (first !== undefined) {
    const isFirstUnit = units[0]?.kind === 'heading' && passage.headings.at(-1) === first.title;
    const parents = passage.headings.slice(
      0,
      isFirstUnit ? -1 : Math.min(first.level, passage.headings.length) - 1,
    );
    return { headings: [...parents, ...(line?.headings ?? []).map(({ title }) => title)], leads };
  }
  const above = units.slice(0, index).findLast(({ kind }) => kind === 'heading');
  if (above === undefined || passage.headings.includes(above.text.trim()))
    return { headings: passage.headings, leads };
  return { headings: [...passage.headings.slice(0, -1), above.text.trim()], leads };
}
