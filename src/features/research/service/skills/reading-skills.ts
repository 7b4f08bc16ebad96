import * as v from 'valibot';
import { documentName } from '../../../../answers/retrieving/passages-for-programs.ts';
import { findPassages, readPassages } from '../../../../answers/notebook-tools.ts';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { SOURCE_PREFIX } from '../../model/project.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import type { DocumentEntry, Source } from '../../../../core/domain/source.ts';
import { checkedSkill } from './checked-skill.ts';
import { oneLine } from './one-line.ts';
import type { Skill, SkillResult } from './skill.ts';
import type { SkillNotebook } from './skill-parts.ts';
import { sourceNamed } from './source-named.ts';

/** Length of text that one call reads, in UTF-16 code units. */
const READ_ON = 6_000;
/** Maximum numbers of sources in a list, and of lines in a list of headings and documents. */
const MAX_SOURCES = 200;
const MAX_LINES = 250;
const MAX_DOCUMENTS = 60;

const words = v.pipe(v.string(), v.trim(), v.nonEmpty());
const offset = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Returns the skills that find and read passages of the sources. */
export function readingSkills(notebook: SkillNotebook): readonly Skill[] {
  return [search(notebook), read, readOn, listSources, listHeadings(notebook)];
}

function search(notebook: SkillNotebook): Skill {
  return checkedSkill({
    name: 'search',
    description: 'Finds the passages that best match words or questions, in all sources or in a named one.',
    guide:
      'Search in several ways: with the words of the task, with words that the sources would use, and with names and figures. Submit the findings as a list, each as one sentence with its citation. If you find nothing, say so, and say what you searched for.',
    input: v.object({
      queries: v.pipe(
        v.union([v.pipe(v.array(words), v.minLength(1)), words]),
        v.description('One to four searches: questions, or words that the sources may use.'),
      ),
      passages: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.description('Number of passages, 20 at most. The default is 6.'),
        ),
      ),
      source: v.optional(v.pipe(words, v.description('The title of the only source to search in.'))),
    }),
    run: async ({ source, ...input }, { finder, sources, signal }) => {
      const within = source === undefined ? undefined : sourceNamed(await sources(), source);
      const passages = await findPassages(
        within === undefined ? finder : notebook.finderIn(within.id),
        input,
        signal,
      );
      return passages.length === 0
        ? { text: 'Nothing matches this. Try different words, or list the sources and their headings.' }
        : passagesAsResult(passages);
    },
  });
}

const read = checkedSkill({
  name: 'read',
  description: 'Reads a passage of a document that a search found, and the text around it.',
  guide:
    'Find the passage with a search or by its heading, read it and the text around it, and submit what it says in your own words, each sentence with its citation.',
  input: v.object({
    document: v.pipe(words, v.description('ID of the document from a search, such as 12-0fa41c7e.')),
    start: v.pipe(offset, v.description('Start of the passage, in characters.')),
    end: v.pipe(offset, v.description('End of the passage, in characters.')),
    around: v.optional(
      v.pipe(offset, v.description('Characters before and after the passage. The default is 2000.')),
    ),
  }),
  run: async (input, { finder }) => {
    const passages = await readPassages(finder, input);
    if (passages.length === 0) throw nothingThere();
    return passagesAsResult(passages);
  },
});

const readOn = checkedSkill({
  name: 'read-on',
  description: 'Reads the next thousand words of a document, and returns the position to continue from.',
  input: v.object({
    document: v.pipe(words, v.description('ID of the document from a search or a list of headings.')),
    from: v.pipe(
      offset,
      v.description('Position to continue from, in characters: the end of the text that you read last.'),
    ),
  }),
  run: async ({ document, from }, { finder }) => {
    const passages = await readPassages(finder, { document, start: from, end: from + READ_ON, around: 0 });
    const last = passages.at(-1);
    if (last === undefined) throw nothingThere();
    const isOver = last.end < from + READ_ON;
    return {
      text: isOver
        ? 'This is the end of the document.'
        : `The document continues. Read on from ${String(last.end)}.`,
      passages,
    };
  },
});

const listSources = checkedSkill({
  name: 'list-sources',
  description: 'Lists the sources with their titles, types, and sizes.',
  guide:
    'List the sources, look into those that matter to the task, and submit a list with the title of each and a sentence with a citation that says what it is.',
  input: v.object({
    from: v.optional(v.pipe(offset, v.description('Number of sources to skip, if the list is too long.'))),
  }),
  run: async ({ from = 0 }, context) => {
    const sources = await context.sources();
    if (sources.length === 0) return { text: 'There are no sources.' };
    const sourceLines = sources.slice(from, from + MAX_SOURCES).map(describeSource);
    const next = from + sourceLines.length;
    const rest =
      next < sources.length ? [`There are ${String(sources.length)}. Continue from ${String(next)}.`] : [];
    return { text: [...sourceLines, ...rest].join('\n') };
  },
});

function listHeadings(notebook: SkillNotebook): Skill {
  return checkedSkill({
    name: 'list-headings',
    description: 'Lists the documents and headings of a source, with the position of each section.',
    guide:
      'List the headings of the sources that the task is about, and submit a list of the sections that matter: the title and location of each, and a sentence with a citation that says what it is about.',
    input: v.object({
      source: v.pipe(words, v.description('Title of the source.')),
      from: v.optional(
        v.pipe(offset, v.description('Number of documents to skip, if the list is too long.')),
      ),
    }),
    run: async ({ source: name, from = 0 }, { sources }) => {
      const source = sourceNamed(await sources(), name);
      const entries = await notebook.documents(source.id);
      const documents = entries.slice(from, from + MAX_DOCUMENTS);
      if (documents.length === 0)
        throw new NotebookError('not-found', `${JSON.stringify(source.title)} has no more documents.`);
      const outlines = await notebook.outlines(documents.map(({ id }) => id));
      const headings = new Map(outlines.map((outline) => [outline.documentId, outline.headings]));
      const lines: string[] = [];
      let listedCount = 0;
      for (const document of documents) {
        const own = (headings.get(document.id) ?? []).map(
          ({ level, offset: at, title }) => `${'  '.repeat(level)}${oneLine(title)} (at ${String(at)})`,
        );
        const room = MAX_LINES - lines.length - 1;
        if (listedCount > 0 && own.length > room) break;
        lines.push(
          `${documentName(documentNames(document))} ${oneLine(document.title)}`,
          ...own.slice(0, room),
        );
        if (own.length > room) lines.push(`  … and ${String(own.length - room)} more headings`);
        listedCount++;
      }
      const next = from + listedCount;
      if (next < entries.length)
        lines.push(`There are ${String(entries.length)} documents. Continue from ${String(next)}.`);
      return { text: lines.join('\n') };
    },
  });
}

/** Returns passages with the call that reads the text after each. */
export function passagesAsResult(passages: readonly FoundPassage[]): SkillResult {
  const handles = passages.map((passage) => {
    const place = [passage.sourceTitle, ...passage.headings.slice(-1)].map(oneLine).join(' › ');
    return `- ${place}: document ${documentName(passage)}, start ${String(passage.start)}, end ${String(passage.end)}`;
  });
  return {
    text: [`${String(passages.length)} passages. To read on from them, in their order:`, ...handles].join(
      '\n',
    ),
    passages,
  };
}

function describeSource({ id, title, origin, documents, state }: Source): string {
  const size = documents === 1 ? '1 document' : `${String(documents)} documents`;
  const unread = state.kind === 'ready' ? '' : `, ${state.kind}`;
  return `- ${oneLine(title)} (${origin.kind}, ${size}${unread}; ${SOURCE_PREFIX}${id})`;
}

function documentNames({ id, sourceId, key }: DocumentEntry): Parameters<typeof documentName>[0] {
  return { documentId: id, sourceId, documentKey: key };
}

function nothingThere(): NotebookError {
  return new NotebookError(
    'not-found',
    'There is no text at this position. The source was removed or is shorter now. Search again.',
  );
}
