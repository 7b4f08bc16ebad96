import { plainWords } from '../../../../core/language/words/folding.ts';
import { ALL_SOURCES, SOURCE_PREFIX, type PlanStep } from '../../model/project.ts';

/** Maximum length of a product's name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 48;

/**
 * Converts text to the name of a product: `Iron ingots (3)` is `iron-ingots-3`. Empty if the text has no valid
 * character. Users read the name and plans store it, so letters keep their accents.
 */
export function productName(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]{1,1000}/gu) ?? [];
  let name = '';
  for (const word of words) {
    if (name !== '' && name.length + word.length >= MAX_NAME_LENGTH) break;
    name += name === '' ? word.slice(0, MAX_NAME_LENGTH).toWellFormed() : `-${word}`;
  }
  return name;
}

/** Returns a key for comparing names: `List headings`, `list_headings`, and `listHeadings` are the same. */
export function nameKey(name: string): string {
  return plainWords(name).join('');
}

/** Reports whether a material is a source, not a product. */
export function isSource(material: string): boolean {
  return material === ALL_SOURCES || material.startsWith(SOURCE_PREFIX);
}

/** Generates unused step IDs: `s4`, `s5`, … */
export function* freeIds(used: Iterable<string>): Generator<string, never> {
  const usedNames = new Set(used);
  let last = 0;
  for (const id of usedNames) last = Math.max(last, Number(/^s(\d{1,6})(?:\.|$)/.exec(id)?.[1] ?? 0));
  for (;;) yield `s${String(++last)}`;
}

/** Returns an unused name: `notes`, `notes-2`, `notes-3`, … */
export function freeName(name: string, usedNames: ReadonlySet<string>): string {
  let free = name;
  for (let i = 2; usedNames.has(free); i++) free = `${name}-${String(i)}`;
  return free;
}

/** Returns the step that makes each product; the first if there are several. */
export function findMakers(steps: readonly PlanStep[]): ReadonlyMap<string, PlanStep> {
  const makers = new Map<string, PlanStep>();
  for (const step of steps) if (!makers.has(step.produces)) makers.set(step.produces, step);
  return makers;
}
