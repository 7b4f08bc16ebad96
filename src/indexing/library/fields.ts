/** What stands in JSON of unknown origin, as what it has to be. All throw an `Error` where it is something else. */

export function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('That is no object.');
  return Object.fromEntries(Object.entries(json));
}

export function listOf(json: unknown): readonly unknown[] {
  if (!Array.isArray(json)) throw new Error('That is no list.');
  return json;
}

export function textOf(json: unknown): string {
  if (typeof json !== 'string') throw new Error('That is no text.');
  return json;
}

export function numberOf(json: unknown): number {
  if (typeof json !== 'number' || !Number.isFinite(json)) throw new Error('That is no number.');
  return json;
}

/** One of some words. */
export function oneOf<T extends string>(json: unknown, words: readonly T[]): T {
  const found = words.find((word) => word === json);
  if (found === undefined) throw new Error('That is none of the words.');
  return found;
}

/** What may be left out. */
export function maybe<T>(json: unknown, read: (json: unknown) => T): T | undefined {
  return json === undefined || json === null ? undefined : read(json);
}
