// A team in a database, made as its administrator makes it.
import type { TeamRole } from '../../src/team/api.ts';
import { teamHandlers } from '../../src/team/handlers.ts';

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
