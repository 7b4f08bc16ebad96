// A team of four with a notebook about a garden, of which two have it on their machines.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Annotation } from '../../src/core/domain/annotation.ts';
import type { Citation, Turn } from '../../src/core/domain/answer.ts';
import { close, input, makeFolder, openNew } from './opened-notebooks.ts';
import { makeTeam } from './team-members.ts';
import type { TeamServer } from './team-server.ts';
import { Machine } from './team.ts';

export const highlight = (page: number, remark = ''): Annotation => ({
  ...{ kind: 'highlight', page, quads: [[1, 2, 3, 2, 1, 1, 3, 1]], colour: '#ffe066', words: 'Beans' },
  remark,
});

type Strings = Readonly<Record<'ada' | 'ben' | 'mona' | 'rita', string>>;

/** The folder of a notebook of one's own with two documents and a note. */
export async function ownNotebook(): Promise<string> {
  const { folder, index } = await openNew();
  const source = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  await index.putDocument(
    source.id,
    input('Tomatoes are watered with rainwater from the barrel.', 'garden.md'),
  );
  await index.putDocument(source.id, input('Bread is baked on Saturdays in the stone oven.', 'kitchen.md'));
  index.store.finishSource(source.id, { kind: 'ready' }, { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 });
  index.features.notes.add({ title: 'Plan', text: 'Dig the beds.\n\nSow the beans.\n', citations: [] });
  await close(index);
  return folder;
}

/**
 * Returns two members with a notebook whose one source is a folder of one machine. `first` changes it before it is
 * shared.
 */
export async function garden(
  server: TeamServer,
  prefix: string,
  first: (index: NotebookIndex) => unknown = () => undefined,
): Promise<{
  one: Machine;
  two: Machine;
  notebookId: string;
  strings: Strings;
  root: string;
}> {
  const administrator = await server.createTeamDatabase();
  const members = { ada: 'author', ben: 'author', rita: 'reader', mona: 'manager' } as const;
  const { ada = '', ben = '', mona = '', rita = '' } = await makeTeam(administrator, members, prefix);
  const strings = { ada, ben, mona, rita };
  const root = makeFolder();
  const { folder, index } = await openNew();
  const source = await index.addSource(
    'Garden',
    { kind: 'folder', uri: pathToFileURL(join(root, 'notes')).href },
    undefined,
  );
  for (const [key, text] of [
    ['garden.md', 'Tomatoes are watered with rainwater from the barrel.'],
    ['kitchen.md', 'Bread is baked on Saturdays in the stone oven.'],
  ] as const)
    await index.putDocument(source.id, {
      ...input(text, key),
      uri: pathToFileURL(join(root, 'notes', key)).href,
    });
  // Existing highlights are shared, too.
  index.features.annotations.keep(pathToFileURL(join(root, 'notes', 'kitchen.md')).href, [
    ['k', highlight(1)],
  ]);
  index.store.finishSource(source.id, { kind: 'ready' }, { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 });
  await first(index);
  await close(index);
  const notebookId = randomUUID();
  const one = await Machine.share(strings.ada, folder, notebookId);
  const two = await Machine.join(strings.ben, notebookId);
  one.roots = [pathToFileURL(root).href];
  return { one, two, notebookId, strings, root };
}

export function citing(index: NotebookIndex, words: string): Citation {
  for (const { id: sourceId } of index.store.sources())
    for (const { id } of index.store.documents.stamps(sourceId)) {
      const start = index.store.documents.document(id)?.text.indexOf(words) ?? -1;
      const span = { start, end: start + words.length };
      const [citation] =
        start < 0 ? [] : index.cited.cite([{ number: 1, documentId: id, passage: span, span, quote: words }]);
      if (citation !== undefined) return citation;
    }
  throw new Error(`Nobody says “${words}”.`);
}

export function asked(index: NotebookIndex, question: string, words: string): Turn {
  return {
    id: randomUUID(),
    question,
    askedAt: Date.now(),
    state: { kind: 'done', milliseconds: 5 },
    answer: {
      kind: 'quotes',
      text: '',
      citations: [citing(index, words)],
      quotes: [{ citation: 0, format: 'prose', languageId: undefined }],
    },
  };
}
