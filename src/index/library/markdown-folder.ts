import { mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { t } from '@vscode/l10n';
import { fenceText } from '../../core/language/markdown-lines.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { sanitizeMarkdown } from '../../core/domain/sanitize-markdown.ts';
import { fileName, freeTitle } from '../../core/domain/note.ts';
import { portableFeatures } from '../../features/store.ts';
import type { Source } from '../../core/domain/source.ts';
import type { VerdictMarkStyle } from '../../core/domain/verdict-marks.ts';
import { createFile } from '../../core/domain/write-file.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';
import type { Statements } from '../store/database/statements.ts';
import { Store } from '../store/store.ts';
import type { LibraryProgress } from './library-api.ts';
import { exportError, unfinishedAt } from './notebook-file.ts';

/** File of the folder, with its path there and its text. */
interface MarkdownFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a notebook as Markdown into a new folder, which gets its final name once it's complete. Awaits `afterEach`
 * file.
 * @throws NotebookError `exists`, `disk-full`
 */
export async function writeMarkdownFolder(
  sql: Statements,
  folder: string,
  style: VerdictMarkStyle,
  report: (progress: LibraryProgress) => void,
  afterEach: () => Promise<void>,
): Promise<void> {
  if (existsSync(folder))
    throw new NotebookError('exists', t('A folder with this name already exists. Choose another location.'));
  const unfinished = unfinishedAt(folder);
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    const total = new Store(sql).counts().documents;
    let done = 0;
    for (const { path, text } of markdownFiles(sql, style)) {
      const file = join(unfinished, path);
      await mkdir(dirname(file), { recursive: true });
      await createFile(file, text);
      report({ done: Math.min(++done, total), total });
      await afterEach();
    }
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw exportError(error);
  }
}

/**
 * Yields the Markdown files of a notebook: one for each document, and those of features. They can't load or run anything when shown.
 */
function* markdownFiles(sql: Statements, style: VerdictMarkStyle): Generator<MarkdownFile> {
  const named = namer();
  const store = new Store(sql);
  for (const source of store.sources())
    for (const { id } of store.documents.ofSource(source.id)) {
      const document = store.documents.document(id);
      if (document === undefined) continue;
      const { key } = document.entry;
      const names = [source.title, ...(key === '' ? [] : splitPath(key))];
      yield { path: named('Sources', ...names), text: documentAsMarkdown(source, document) };
    }
  for (const { asMarkdown } of portableFeatures)
    for (const { folder, title, text } of asMarkdown?.(sql, style) ?? [])
      yield { path: named(folder, title), text };
}

function documentAsMarkdown({ title }: Source, { entry, format, languageId, text }: StoredDocument): string {
  const heading = [title, entry.key].filter((part) => part !== '').join(' · ');
  const head = ['---', `title: ${JSON.stringify(heading)}`];
  if (/^https?:/.test(entry.uri)) head.push(`source: ${JSON.stringify(entry.uri)}`);
  head.push(`read: ${new Date(entry.readAt).toISOString()}`, '---', '');
  return `${head.join('\n')}\n${format === 'code' ? fenceText(text, languageId) : sanitizeMarkdown(text)}\n`;
}

/** Returns the segments of a path, or of an address after its host. */
function splitPath(key: string): string[] {
  const path = key.replace(/^https?:\/\/[^/]*/i, '');
  const parts = path.split('/').filter((part) => part !== '');
  return parts.length === 0 ? ['index'] : parts;
}

/** Returns a function that converts names to unique paths within the folder. */
function namer(): (...names: readonly string[]) => string {
  const usedNames = new Set<string>();
  return (...names) => {
    const parts = names.map((name) => fileName(name, '_'));
    const path = freeTitle(parts.join('/'), (candidate) => usedNames.has(candidate.toLowerCase()));
    usedNames.add(path.toLowerCase());
    return `${path}.md`;
  };
}
