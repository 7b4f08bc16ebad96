import * as v from 'valibot';
import { t } from '@vscode/l10n';
import { NOT_IN_SOURCES } from '../../language/stated-lacks.ts';
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
      description: 'Compares two or more things by the same points, as a table with a row for each thing.',
      guide: `Hand in a Markdown table: a row for each thing that is compared, a column for each point. Every cell that says something has its citation in it; a cell that no source says anything to says "${NOT_IN_SOURCES}". Below the table stand two to five sentences on what the comparison shows, each with its citations.`,
    },
    {
      name: 'summarize',
      description: 'Says what a source, a product or several of them say, much shorter.',
      guide:
        'Look at the headings or search for the main points before you write, so that no part is passed over. Hand in what matters most first, in whole sentences, each with its citation; nothing that the material does not say.',
    },
    {
      name: 'write-section',
      description: 'Writes a section of a report from its materials, with a citation behind each sentence.',
      guide:
        'Hand in the text of the section alone, in Markdown, without its heading: paragraphs of whole sentences, each with its citation, in the voice of a report. Take over what the materials found with their citations; search where something is missing; say nothing that neither bears out.',
    },
    {
      name: 'write-note',
      description:
        'Writes a note that stands by itself, such as a guide or a list to work from, with citations.',
      guide:
        'Hand in the note whole, in Markdown: a heading of the first level with its title, then its sections. Each sentence that claims something has its citation.',
    },
  ];
}

function extract(notebook: SkillNotebook): Skill {
  return checkedSkill({
    name: 'extract',
    description:
      'Takes the same facts out of each of several sources: a table with a row for each source and a column for each fact.',
    guide: `Call extract for the sources and the facts that are wanted, go on until each source was looked at, and hand in a Markdown table: a row for each source, a column for each fact. Every cell that says something has its citation in it, from that source; a cell to which its source says nothing says "${NOT_IN_SOURCES}". Leave out no source.`,
    input: v.object({
      facts: v.pipe(
        v.array(words),
        v.minLength(1),
        v.maxLength(MAX_FIELDS),
        v.description('What is to be taken out, each in words that the sources may use.'),
      ),
      sources: v.optional(
        v.pipe(
          v.array(words),
          v.minLength(1),
          v.description('The titles of the sources; all of them if left out.'),
        ),
      ),
      from: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.description('How many of these sources to pass over: those that were looked at already.'),
        ),
      ),
    }),
    run: async ({ facts, sources: named, from = 0 }, { sources, signal, tokens = DEFAULT_TOKENS }) => {
      const all = await sources();
      const wanted = named === undefined ? all : [...new Set(named.map((name) => sourceNamed(all, name)))];
      const count = Math.max(1, Math.min(SOURCES_AT_ONCE, Math.floor(tokens / MIN_SOURCE_TOKENS)));
      const now = wanted.slice(from, from + count);
      if (now.length === 0) return { text: 'No sources are left: hand in the table.' };
      const { passages, counts, shortened } = await gatherEach(now, facts, tokens, notebook.finderIn, signal);
      const lines = now.map(({ title }, i) => {
        const own = counts[i] ?? 0;
        if (own === 0) return `- ${JSON.stringify(title)}: it has no text.`;
        const which = own === 1 ? 'the next passage' : `the next ${String(own)} passages`;
        return shortened.includes(title)
          ? `- ${JSON.stringify(title)}: ${which}, those nearest to the facts; the rest of it was left out, so search in it for what they lack.`
          : `- ${JSON.stringify(title)}: ${which}, the whole source.`;
      });
      const next = from + now.length;
      if (next < wanted.length)
        lines.push(`There are ${String(wanted.length)} sources: go on from ${String(next)}.`);
      return {
        text: ['What was found, source by source, in the order of the passages:', ...lines].join('\n'),
        passages,
        notes: shortened.map((title) =>
          t('Only the passages of “{0}” that best match the requested facts were read.', title),
        ),
      };
    },
  });
}
