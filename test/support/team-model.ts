// Invariants of a team notebook under concurrent changes, as plain data: everything added and never deleted exists,
// every written text is somewhere, and a value that only one member wrote is the last one on all machines.
import type { Statements } from '../../src/index/store/database/statements.ts';

/** Entities of a machine by names that are the same on all machines, with their value if they have one. */
type Had = ReadonlyMap<string, string>;

const DOCUMENT = 'document';

/** Returns the team's entities on a machine. */
export function had(sql: Statements): Had {
  const queries: Readonly<Record<string, string>> = {
    source: 'SELECT id, title AS value FROM sources',
    [DOCUMENT]: "SELECT source_id || ' ' || key AS id, hash AS value FROM documents",
    note: 'SELECT id FROM notes',
    matrix: 'SELECT id FROM matrices',
    deck: 'SELECT id FROM card_decks',
    card: "SELECT deck_id || ' ' || key AS id FROM cards WHERE removed_at IS NULL",
    quiz: 'SELECT id FROM quizzes',
    conversation: 'SELECT id FROM conversations WHERE shared = 1',
    turn: 'SELECT id FROM turns WHERE conversation_id IN (SELECT id FROM conversations WHERE shared = 1)',
    research: 'SELECT id FROM researches',
    mark: `SELECT d.source_id || ' ' || d.key || ' ' || (one.value ->> 0) AS id
      FROM file_annotations f JOIN documents d USING (uri) JOIN json_each(f.annotations) one`,
  };
  return new Map(
    Object.entries(queries).flatMap(([kind, query]) =>
      sql
        .all(query)
        .map(({ id, value }) => [`${kind} ${String(id)}`, typeof value === 'string' ? value : ''] as const),
    ),
  );
}

/** All that was written by people and is to be found again, as one text. */
export function words(sql: Statements): string {
  return [
    'SELECT text FROM notes',
    'SELECT edited AS text FROM matrix_cells',
    'SELECT front AS text FROM cards',
    'SELECT question AS text FROM turns',
    'SELECT annotations AS text FROM file_annotations',
    'SELECT goal AS text FROM researches',
    'SELECT text FROM research_comments',
    'SELECT step AS text FROM research_steps WHERE place IS NOT NULL',
    'SELECT text FROM research_products',
    // If two members do one step, the second result becomes a draft.
    'SELECT draft AS text FROM research_steps',
  ]
    .flatMap((query) => sql.all(query).map(({ text }) => String(text)))
    .join('\n');
}

export class TeamModel {
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();
  /** Members who wrote a value, all written values, and the last one. */
  readonly #values = new Map<
    string,
    { readonly by: Set<string>; readonly given: Set<string>; last: string }
  >();

  /** Records a member's action from the entities of their machine before and after. */
  did(member: string, before: Had, after: Had): void {
    for (const [name, value] of after) {
      if (!before.has(name)) this.#added.add(name);
      if (before.get(name) === value) continue;
      const values = this.#values.get(name) ?? { by: new Set(), given: new Set(), last: value };
      values.by.add(member);
      values.given.add(value);
      values.last = value;
      this.#values.set(name, values);
    }
    for (const name of before.keys()) if (!after.has(name)) this.#removed.add(name);
  }

  /** Returns the violated invariants on a machine, one sentence each. */
  faults(there: Had): string[] {
    const faults: string[] = [];
    for (const name of this.#added) {
      // A document added to a source is deleted with it when another member deletes the source.
      const [kind, source = ''] = name.split(' ');
      const isWithin = (kind === DOCUMENT || kind === 'mark') && this.#removed.has(`source ${source}`);
      const isOfDocument =
        kind === 'mark' && this.#removed.has(`${DOCUMENT} ${name.split(' ').slice(1, 3).join(' ')}`);
      if (!isWithin && !isOfDocument && !this.#removed.has(name) && !there.has(name))
        faults.push(`${name} is lost.`);
    }
    for (const [name, { by, given, last }] of this.#values) {
      const value = there.get(name);
      if (value === undefined) continue;
      if (!given.has(value)) faults.push(`${name} is ${value}, which nobody gave it.`);
      else if (by.size === 1 && value !== last)
        faults.push(`${name} is ${value}, not ${last} as it was last.`);
    }
    return faults;
  }
}
