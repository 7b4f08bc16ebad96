import { wholeBelow } from './durability-random.ts';

/** Versions of a notebook's texts, by the title of the source and the key of the document. */
export type DocumentVersions = Readonly<Record<string, Readonly<Record<string, number>>>>;

export type Step =
  | { readonly kind: 'addSource'; readonly title: string; readonly version: number | undefined }
  | { readonly kind: 'put'; readonly title: string; readonly key: string; readonly version: number }
  | { readonly kind: 'removeDocument'; readonly title: string; readonly key: string }
  | { readonly kind: 'removeSource'; readonly title: string }
  | { readonly kind: 'settings'; readonly size: number }
  | { readonly kind: 'snapshot' };

const TITLES = ['Birds', 'Boats', 'Bridges', 'Bells'];
const KEYS = ['one.txt', 'two.txt', 'three.txt', 'four.txt', 'five.txt', 'six.txt'];
export const SIZES = [1_500, 2_500, 4_000] as const;

/** Returns the contents of a notebook after a step. */
export function after(expectedRows: DocumentVersions, step: Step): DocumentVersions {
  switch (step.kind) {
    case 'addSource':
      return { ...expectedRows, [step.title]: step.version === undefined ? {} : { '': step.version } };
    case 'put':
      return { ...expectedRows, [step.title]: { ...expectedRows[step.title], [step.key]: step.version } };
    case 'removeDocument':
      return {
        ...expectedRows,
        [step.title]: Object.fromEntries(
          Object.entries(expectedRows[step.title] ?? {}).filter(([key]) => key !== step.key),
        ),
      };
    case 'removeSource':
      return Object.fromEntries(Object.entries(expectedRows).filter(([title]) => title !== step.title));
    case 'settings':
    case 'snapshot':
      return expectedRows;
  }
}

/** Returns a random possible step; `version` was never used. With `areSettingsFixed`, it changes no settings. */
export function chooseStep(
  expectedRows: DocumentVersions,
  version: number,
  random: () => number,
  areSettingsFixed = false,
): Step {
  const pick = <T>(values: readonly T[]): T | undefined => values[wholeBelow(random, values.length)];
  const title = pick(Object.keys(expectedRows));
  const missing = pick(TITLES.filter((name) => expectedRows[name] === undefined));
  const chance = random();
  if (title === undefined || (missing !== undefined && chance < 0.15))
    return { kind: 'addSource', title: missing ?? '', version: version % 2 === 0 ? version : undefined };
  const key = pick(Object.keys(expectedRows[title] ?? {}));
  if (chance < 0.25 && key !== undefined) return { kind: 'removeDocument', title, key };
  if (chance < 0.32) return { kind: 'removeSource', title };
  if (chance < 0.45 && !areSettingsFixed) return { kind: 'settings', size: pick(SIZES) ?? 2_500 };
  if (chance < 0.55) return { kind: 'snapshot' };
  return { kind: 'put', title, key: pick(KEYS) ?? '', version };
}
