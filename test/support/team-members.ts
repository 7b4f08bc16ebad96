// Creates teams in a database as their administrator does.
import { randomUUID } from 'node:crypto';
import type { SourceOrigin } from '../../src/core/domain/source.ts';
import type { TeamRole } from '../../src/features/team/model/roles.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import {
  connectionStringFor,
  readConnectionString,
} from '../../src/features/team/service/connection-string.ts';
import { addMember, setUpTeam } from '../../src/features/team/service/set-up.ts';
import { close, openNew } from './opened-notebooks.ts';

export const context: { readonly signal: AbortSignal; readonly report: () => void } = {
  signal: new AbortController().signal,
  report: () => undefined,
};

/**
 * Creates a team in a database, if there is none, and adds its members over one connection. Their logins begin with
 * `prefix`.
 * @returns the members' connection strings by their names
 */
export async function makeTeam(
  administrator: string,
  members: Readonly<Record<string, TeamRole>>,
  prefix = '',
): Promise<Record<string, string>> {
  const strings: Record<string, string> = {};
  const client = await openConnection(readConnectionString(administrator));
  try {
    await setUpTeam(client);
    for (const [short, role] of Object.entries(members)) {
      const name = prefix + short;
      const password = await addMember(client, name, role);
      if (password === undefined) throw new Error(`There is a login ${name} already.`);
      strings[short] = connectionStringFor(administrator, name, password);
    }
  } finally {
    await closeConnection(client);
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
  { origin, plan }: { readonly origin: SourceOrigin; readonly plan: string },
): Promise<Authors> {
  const strings = await makeTeam(
    administrator,
    Object.fromEntries(names.map((name) => [name, 'author' as const])),
  );
  const { folder, index } = await openNew();
  const { id: sourceId } = await index.addSource('Garden', origin, undefined);
  index.features.notes.add({ title: 'Plan', text: plan, citations: [] });
  await close(index);
  return { strings, folder, notebookId: randomUUID(), sourceId };
}
