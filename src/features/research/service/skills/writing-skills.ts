import * as v from 'valibot';
import { t } from '@vscode/l10n';
import { NOT_IN_SOURCES } from '../../../../core/language/no-evidence-statements.ts';
import { checkedSkill } from './checked-skill.ts';
import { gatherEach } from './gather-each.ts';
import type { Skill } from './skill.ts';
import type { SkillNotebook } from './skill-parts.ts';
import { sourceNamed } from './source-named.ts';

/**
 * Maximum number of sources in a call of `extract`, and of fields to extract from each.
 */
const SOURCES_AT_ONCE = 8;
const MAX_FIELDS = 8;
/** Minimum tokens for a source. With fewer left, the next call reads it. */
const MIN_SOURCE_TOKENS = 500;
const DEFAULT_TOKENS = 5_000;

const words = v.pipe(v.string(), v.trim(), v.nonEmpty());

/** Returns the skills that write texts and tables from results. */
export function writingSkills(notebook: SkillNotebook): readonly Skill[] {
  return [
    extract(notebook),
    {
      name: 'compare',
      description: 'Compares two or more items by the same criteria, as a table with a row for each item.',
      guide: `Submit a Markdown table with a row for each item and a column for each criterion. Every cell with an answer contains its citation. If no source answers a cell, it says "${NOT_IN_SOURCES}". Below the table, write two to five sentences about what the comparison shows, each with its citations.`,
    },
    {
      name: 'summarize',
      description: 'Summarizes one or more sources or results.',
      guide:
        'Before you write, read the headings or search for the main points, so that you miss nothing. Submit full sentences, the most important first, each with its citation. Don’t add anything that the inputs don’t say.',
    },
    {
      name: 'write-section',
      description: 'Writes a section of a report from its inputs, with a citation after each sentence.',
      guide:
        'Submit only the text of the section, in Markdown, without its heading: paragraphs of full sentences in the style of a report, each sentence with its citation. Keep the citations of the inputs. Search for what is missing. Don’t write anything that the inputs and the passages don’t support.',
    },
    {
      name: 'write-note',
      description: 'Writes a complete note with citations, such as a guide or a checklist.',
      guide:
        'Submit the complete note in Markdown: a first-level heading with its title, then its sections. Each sentence that states a fact has its citation.',
    },
  ];
}

function extract(notebook: SkillNotebook): Skill {
  return checkedSkill({
    name: 'extract',
    description:
      'Extracts the same facts from each of several sources, as a table with a row for each source and a column for each fact.',
    guide: `Call extract with the sources and the facts that the task asks for until you have read every source, and submit a Markdown table with a row for each source and a column for each fact. Every cell with an answer contains a citation of that source. If the source doesn’t answer a cell, the cell says "${NOT_IN_SOURCES}". Leave out no source.`,
    input: v.object({
      facts: v.pipe(
        v.array(words),
        v.minLength(1),
        v.maxLength(MAX_FIELDS),
        v.description('Facts to extract, each in words that the sources may use.'),
      ),
      sources: v.optional(
        v.pipe(
          v.array(words),
          v.minLength(1),
          v.description('Titles of the sources. The default is all sources.'),
        ),
      ),
      from: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.description('Number of these sources to skip because you have read them.'),
        ),
      ),
    }),
    run: async ({ facts, sources: named, from = 0 }, { sources, signal, tokens = DEFAULT_TOKENS }) => {
      const allSources = await sources();
      const selectedSources =
        named === undefined ? allSources : [...new Set(named.map((name) => sourceNamed(allSources, name)))];
      const count = Math.max(1, Math.min(SOURCES_AT_ONCE, Math.floor(tokens / MIN_SOURCE_TOKENS)));
      const nextSources = selectedSources.slice(from, from + count);
      if (nextSources.length === 0) return { text: 'You have read all sources. Submit the table.' };
      const { passages, counts, shortened } = await gatherEach(
        nextSources,
        facts,
        tokens,
        notebook.finderIn,
        signal,
      );
      const lines = nextSources.map(({ title }, i) => {
        const own = counts[i] ?? 0;
        if (own === 0) return `- ${JSON.stringify(title)}: it has no text.`;
        const which = own === 1 ? 'the next passage' : `the next ${String(own)} passages`;
        return shortened.includes(title)
          ? `- ${JSON.stringify(title)}: ${which}, those closest to the facts. The rest was omitted, so search in it for missing facts.`
          : `- ${JSON.stringify(title)}: ${which}, the whole source.`;
      });
      const next = from + nextSources.length;
      if (next < selectedSources.length)
        lines.push(`There are ${String(selectedSources.length)} sources. Continue from ${String(next)}.`);
      return {
        text: ['Results for each source, in the order of the passages:', ...lines].join('\n'),
        passages,
        notes: shortened.map((title) =>
          t('Only the passages of “{0}” that best match the requested facts were read.', title),
        ),
      };
    },
  });
}
