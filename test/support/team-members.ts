// A team in a database, made as its administrator makes it.
import { randomUUID } from 'node:crypto';
import type { TeamRole } from '../../src/team/api.ts';
import { teamHandlers } from '../../src/team/handlers.ts';
import { close, makeFolder, open } from './opened-notebooks.ts';

export const context: { readonly signal: AbortSignal; readonly report: () => void } = {
  signal: new AbortController().signal,
  report: () => undefined,
};

/** Makes a team in a database and adds its members, whose logins begin with `prefix`; returns their connection strings by their names. */
export async function makeTeam(
  administrator: string,
  members: Readonly<Record<string, TeamRole>>,
  prefix = '',
): Promise<Record<string, string>> {
  await teamHandlers.setUp({ connection: administrator }, context);
  const strings: Record<string, string> = {};
  for (const [short, role] of Object.entries(members)) {
    const name = prefix + short;
    const connection = await teamHandlers.addMember({ connection: administrator, name, role }, context);
    if (connection === undefined) throw new Error(`There is a login ${name} already.`);
    strings[short] = connection;
  }
  return strings;
}

/** A team of authors, and the notebook of one's own that the first of them is to share. */
interface Authors {
  /** Their connection strings by their names. */
  readonly strings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly notebookId: string;
  readonly sourceId: string;
}

/** Makes a team of authors in a database, and a notebook of a source without documents and a note `Plan`. */
export async function makeAuthors(
  administrator: string,
  names: readonly string[],
  { uri, plan }: { readonly uri: string; readonly plan: string },
): Promise<Authors> {
  const strings = await makeTeam(
    administrator,
    Object.fromEntries(names.map((name) => [name, 'author' as const])),
  );
  const folder = makeFolder();
  const index = await open(folder);
  const { id: sourceId } = await index.addSource('Garden', { kind: 'folder', uri }, undefined);
  index.notes.add({ title: 'Plan', text: plan, citations: [] });
  await close(index);
  return { strings, folder, notebookId: randomUUID(), sourceId };
}
