import { searchableQuestion } from '../../../../answers/question/long-question.ts';
import { withoutMarks } from '../../../../answers/retrieving/fenced-passages.ts';
import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import { throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import { ALL_SOURCES, SOURCE_PREFIX } from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';
import { nameKey } from './names.ts';

/** Maximum number of sources in prompts, of headings per source, and maximum length of a title. */
const MAX_SOURCES = 60;
const MAX_HEADINGS = 8;
const MAX_TITLE_LENGTH = 100;
/** Maximum number of passages to read for headings. */
const MAX_SAMPLED_PASSAGES = 40;

/** Sources with the handles that models use: `S1` is the first one. */
export interface SourceAliases {
  /**
   * Formats the sources, one line each and nearest to the goal first, with the number of further ones. Not fenced yet.
   */
  readonly format: (tokens: number) => string;
  /** Resolves `S1`, a title, or an ID to a material of a plan; undefined if it isn't a source. */
  readonly toMaterial: (name: string) => string | undefined;
  /** Returns the handle of a material of a plan for prompts. */
  readonly toHandle: (material: string) => string;
}

/** Returns handles for sources and describes each: its title, its size, and headings related to the goal. */
export async function assignAliases(
  goal: string,
  sources: readonly Source[],
  finder: PassageFinder,
  signal: AbortSignal,
): Promise<SourceAliases> {
  const near =
    sources.length === 0 ? [] : await finder.find(searchableQuestion(goal), MAX_SAMPLED_PASSAGES, signal);
  throwIfCanceled(signal);
  const typical = sources.length === 0 ? [] : await finder.overview('', MAX_SAMPLED_PASSAGES);
  throwIfCanceled(signal);
  const headings = Map.groupBy([...near, ...typical], ({ sourceId }) => sourceId);
  const ranks = new Map([...headings.keys()].map((id, rank) => [id, rank]));
  const ordered = sources.toSorted(
    (a, b) => (ranks.get(a.id) ?? Infinity) - (ranks.get(b.id) ?? Infinity) || 0,
  );
  const handles = new Map(ordered.map(({ id }, i) => [SOURCE_PREFIX + id, `S${String(i + 1)}`]));
  const materials = new Map([...handles].map(([material, handle]) => [handle, material]));
  const byName = new Map<string, string | undefined>();
  for (const { id, title } of sources) {
    const key = nameKey(title);
    // A title of several sources identifies none of them.
    byName.set(key, byName.has(key) ? undefined : SOURCE_PREFIX + id);
  }
  for (const { id } of sources) byName.set(nameKey(id), SOURCE_PREFIX + id);
  return {
    format: (tokens) => {
      const lines = ordered
        .slice(0, MAX_SOURCES)
        .map((source, i) => `S${String(i + 1)}: ${describeSource(source, headings.get(source.id) ?? [])}`);
      return withinTokens(lines, sources.length, tokens);
    },
    toMaterial: (name) => {
      const plain = name.trim().replace(/^\[([^[\]]*)\]$/, '$1');
      if (/^(?:all(?: the| of the)? )?sources?$/i.test(plain)) return ALL_SOURCES;
      const handle = /^(?:source[:\s]{0,2})?(S\d{1,5})(?::.*)?$/su.exec(plain)?.[1];
      if (handle !== undefined) return materials.get(handle);
      if (handles.has(plain)) return plain;
      const key = nameKey(plain.startsWith(SOURCE_PREFIX) ? plain.slice(SOURCE_PREFIX.length) : plain);
      return key === '' ? undefined : byName.get(key);
    },
    toHandle: (material) => handles.get(material) ?? material,
  };
}

function describeSource(
  { title, documents, passages }: Source,
  foundPassages: readonly FoundPassage[],
): string {
  const headings = [...new Set(foundPassages.flatMap((each) => each.headings.slice(-2)))].slice(
    0,
    MAX_HEADINGS,
  );
  const size = `${String(documents)} ${documents === 1 ? 'document' : 'documents'}, ${String(passages)} passages`;
  const headingList = headings.length === 0 ? '' : `: ${headings.map(plainTitle).join(' | ')}`;
  return `${plainTitle(title)} (${size})${headingList}`;
}

/** Returns a title on one line, without text that looks like one of our marks. */
function plainTitle(title: string): string {
  const plain = withoutMarks(title).replaceAll(/\s+/g, ' ').trim();
  return plain.length > MAX_TITLE_LENGTH ? `${plain.slice(0, MAX_TITLE_LENGTH).toWellFormed()}…` : plain;
}

/** Joins as many lines as fit, and states how many more there are. */
export function withinTokens(lines: readonly string[], total: number, tokens: number): string {
  let remainingTokens = tokens;
  const fitting: string[] = [];
  for (const line of lines) {
    remainingTokens -= estimateTokens(line) + 1;
    if (remainingTokens < 0 && fitting.length > 0) break;
    fitting.push(line);
  }
  if (fitting.length < total) fitting.push(`(and ${String(total - fitting.length)} more)`);
  return fitting.join('\n');
}
