import * as v from 'valibot';
import { t } from '@vscode/l10n';
import { parseBounded } from '../../../core/domain/bounded-json.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { SiteRules } from '../../../core/domain/site.ts';
import type { Source } from '../../../core/domain/source.ts';

/** Location of the shared notebook in a repository's folder. */
export const SHARED_FOLDER = '.notebook';
export const SHARED_FILE = 'notebook.json';

const VERSION = 1;

/** Maximum number of shared sources and notes. */
const MAX_SHARED_ITEMS = 1_000;

const BOUNDS = { depth: 20, values: 100_000 };

/** Source that a repository shares. Paths are relative to the repository's folder, or to `.notebook` for texts. */
export type SharedSource = { readonly title?: string | undefined } & (
  | { readonly kind: 'file' | 'folder' | 'text'; readonly path: string }
  | { readonly kind: 'page'; readonly url: string }
  | ({ readonly kind: 'site' } & Omit<SiteRules, 'privateHosts'>)
);

/** Contents of a shared notebook: sources to read, and notes by their paths below `.notebook`. */
export interface SharedNotebook {
  readonly sources: readonly SharedSource[];
  readonly notes: readonly string[];
  /** Texts written along with the list: the SHA-256 of each, by its path below `.notebook`. */
  readonly written?: Readonly<Record<string, string>> | undefined;
}

/** Returns a key that identifies a shared source or note. */
export function sharedKey(shared: SharedSource | string): string {
  if (typeof shared === 'string') return `note ${shared}`;
  if (shared.kind === 'page') return `page ${shared.url}`;
  return `${shared.kind} ${shared.kind === 'site' ? shared.starts.join(' ') : shared.path}`;
}

/** Returns the path of the note with a key; undefined for the key of a source. */
export function notePath(key: string): string | undefined {
  return /^note (.+)$/s.exec(key)?.[1];
}

/** Reports whether a source of a notebook is the shared source of a repository. `toUri` resolves its paths. */
export function isShared(
  { origin, title }: Source,
  shared: SharedSource,
  toUri: (path: string) => string,
): boolean {
  switch (shared.kind) {
    case 'file':
    case 'folder':
      return origin.kind === shared.kind && origin.uri === toUri(shared.path);
    case 'page':
      return origin.kind === 'page' && origin.url === shared.url;
    case 'site':
      return origin.kind === 'site' && origin.starts.join(' ') === shared.starts.join(' ');
    case 'text':
      return origin.kind === 'text' && title === (shared.title ?? shared.path);
  }
}

/**
 * Returns the text of `notebook.json`: a line for each source and note, so that changes are visible and can be merged
 * separately.
 */
export function sharedText({ sources, notes, written = {} }: SharedNotebook): string {
  const within = (open: string, values: readonly string[], close: string): string =>
    values.length === 0
      ? `${open}${close}`
      : `${open}\n${values.map((value) => `    ${value}`).join(',\n')}\n  ${close}`;
  const lines = (values: readonly unknown[]): string =>
    within(
      '[',
      values.map((value) => JSON.stringify(value)),
      ']',
    );
  const hashes = Object.entries(written).map(
    ([path, hash]) => `${JSON.stringify(path)}: ${JSON.stringify(hash)}`,
  );
  const record = hashes.length === 0 ? '' : `,\n  "written": ${within('{', hashes, '}')}`;
  return `{\n  "version": ${String(VERSION)},\n  "sources": ${lines(sources)},\n  "notes": ${lines(notes)}${record}\n}\n`;
}

const words = v.pipe(v.string(), v.nonEmpty());

const path = v.pipe(
  words,
  v.check((candidate) => {
    const isWithin =
      candidate === '.' || candidate.split('/').every((part) => !/^(?:|\.\.?|[a-z]:)$/i.test(part));
    return isWithin && !/[\\\0]/.test(candidate);
  }),
);

const address = v.pipe(
  words,
  v.check((candidate) => /^https?:$/.test(URL.parse(candidate)?.protocol ?? '')),
);

function count(limit: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(limit));
}

const title = v.fallback(v.optional(v.string()), undefined);

const sharedNotebook = v.object({
  sources: v.optional(
    v.array(
      v.variant('kind', [
        v.object({ kind: v.picklist(['file', 'folder', 'text']), path, title }),
        v.object({ kind: v.literal('page'), url: address, title }),
        v.object({
          kind: v.literal('site'),
          starts: v.optional(v.array(address), []),
          depth: v.optional(count(100), 2),
          limit: v.optional(count(100_000), 200),
          include: v.optional(v.array(words), []),
          exclude: v.optional(v.array(words), []),
          title,
        }),
      ]),
    ),
    [],
  ),
  notes: v.optional(v.array(path), []),
  written: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.unknown()),
      // Open Notebook doesn't write files with other paths.
      v.transform((written) => {
        const ours = Object.entries(written).filter(
          (entry): entry is [string, string] =>
            /^(?:notes|texts)\/[^/\\\0]+\.md$/.test(entry[0]) && /^[\da-f]{64}$/.test(String(entry[1])),
        );
        return Object.fromEntries(ours);
      }),
    ),
  ),
});

/**
 * Reads `notebook.json`. Nothing in the result leads out of the repository or to anything but the web.
 * @throws NotebookError `unsupported` for one of a newer version, `damaged`
 */
export function readShared(text: string): SharedNotebook {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) throw damagedFile('/');
  if (!('version' in json) || json.version !== VERSION)
    throw new NotebookError(
      'unsupported',
      t(
        'This repository’s shared notebook needs a newer version of Open Notebook. Update the extension to use it.',
      ),
    );
  const read = v.safeParse(sharedNotebook, json, { abortEarly: true });
  if (!read.success)
    throw damagedFile(`/${read.issues[0].path?.map(({ key }) => String(key)).join('/') ?? ''}`);
  const { sources, notes } = read.output;
  if (sources.length + notes.length > MAX_SHARED_ITEMS) throw damagedFile('/sources');
  return read.output;
}

function parseJson(text: string): unknown {
  try {
    return parseBounded(text, BOUNDS);
  } catch {
    // The file isn't JSON, or exceeds the limits.
    throw damagedFile('/');
  }
}

function damagedFile(at: string): NotebookError {
  return new NotebookError(
    'damaged',
    t('Can’t read this repository’s shared notebook. Check {0} in .notebook/notebook.json.', at),
  );
}
