import * as v from 'valibot';
import * as vscode from 'vscode';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import type { FoundPassage, PassagePlace } from '../../../core/domain/passage.ts';
import { checkedSkill } from '../service/skills/checked-skill.ts';
import { oneLine } from '../service/skills/one-line.ts';
import { passagesAsResult } from '../service/skills/reading-skills.ts';
import type { Skill, SkillContext, SkillResult } from '../service/skills/skill.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { readSmallFile } from '../../../platform/workspace-files.ts';
import type { SourceAdder } from '../../sources/editor/add-sources.ts';
import { gitDiff } from '../../sources/editor/git-diff.ts';
import { withTimeout } from './with-timeout.ts';

/** Maximum time for a language extension, in milliseconds: its first call reads the whole workspace. */
const TIMEOUT_MS = 30_000;
/** Maximum number of locations, of citable ones among them, and of files whose lines are read. */
const MAX_PLACES = 60;
const MAX_CITED = 12;
const MAX_FILES = 30;
/** Size above which only the line numbers of a file are listed, in bytes. */
const MAX_FILE_SIZE = 2_000_000;
/** Number of lines around a location that are cited with it. */
const AROUND = 3;
/** Number of UTF-16 code units of a diff that are shown at once. */
const FIRST_OF_DIFF = 8_000;

interface WorkspaceParts {
  readonly notebook: NotebookClient;
  readonly adder: SourceAdder;
}

const words = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200));

/**
 * Returns the skills that query the workspace: its symbols, the references to them, and changes in its repositories.
 */
export function workspaceSkills(parts: WorkspaceParts): readonly Skill[] {
  return [findSymbol(parts), findReferences(parts), diff(parts)];
}

function findSymbol({ notebook }: WorkspaceParts): Skill {
  return checkedSkill({
    name: 'find-symbol',
    description:
      'Finds where functions, classes, types, and variables in the workspace are defined, by name.',
    guide:
      'Find the symbols that the step is about, read their definitions, and submit what each one is and where it is defined, each sentence with its citation.',
    input: v.object({ name: v.pipe(words, v.description('The name, or a part of it.')) }),
    run: async ({ name }, context) => {
      const symbols = await symbolsNamed(name, context.signal);
      if (symbols.length === 0)
        return {
          text: `No symbol in the workspace is named ${JSON.stringify(name)}. Search for it instead.`,
        };
      const symbolLines = symbols.slice(0, MAX_PLACES).map(({ name: own, kind, containerName, location }) => {
        const within = containerName === '' ? '' : ` in ${oneLine(containerName)}`;
        return `- ${vscode.SymbolKind[kind].toLowerCase()} ${oneLine(own)}${within}: ${formatPlace(location)}`;
      });
      const locations = symbols.map(({ location }) => location);
      return await withPassages(symbolLines, symbols.length, locations, notebook, context);
    },
  });
}

function findReferences({ notebook }: WorkspaceParts): Skill {
  return checkedSkill({
    name: 'find-references',
    description: 'Finds the lines that use a function, class, type, or variable in the workspace.',
    guide:
      'Find the references, read the code around those that matter, and submit what uses the symbol and why, each sentence with its citation.',
    input: v.object({
      name: v.pipe(words, v.description('Full name of the symbol.')),
      path: v.optional(
        v.pipe(
          words,
          v.description('End of the path of the defining file, if several symbols have this name.'),
        ),
      ),
    }),
    run: async ({ name, path = '' }, context) => {
      const { signal } = context;
      const [symbol, ...others] = (await symbolsNamed(name, signal)).filter(
        ({ name: own, location }) => own.replace(/\(.*$/s, '') === name && location.uri.path.endsWith(path),
      );
      if (symbol === undefined)
        throw new NotebookError(
          'not-found',
          vscode.l10n.t('No symbol in the workspace is named {0}.', JSON.stringify(name)),
        );
      const { uri, range } = symbol.location;
      const results = await withTimeout(
        vscode.commands.executeCommand<vscode.Location[] | undefined>(
          'vscode.executeReferenceProvider',
          uri,
          await findNamePosition(name, uri, range),
        ),
        signal,
        late(),
      );
      const locations = (results ?? []).filter((location) => isOfWorkspace(location.uri));
      if (locations.length === 0) return { text: 'Nothing in the workspace refers to it.' };
      const lines = await readLines(locations.slice(0, MAX_PLACES));
      const referenceLines = locations
        .slice(0, MAX_PLACES)
        .map((location, i) => `- ${formatPlace(location)}: ${oneLine(lines[i] ?? '')}`);
      if (others.length > 0)
        referenceLines.unshift(
          `${String(1 + others.length)} symbols have this name. References to the one in ${formatPlace(symbol.location)}:`,
        );
      return await withPassages(referenceLines, locations.length, locations, notebook, context);
    },
  });
}

function diff({ notebook, adder }: WorkspaceParts): Skill {
  return checkedSkill({
    name: 'diff',
    description:
      'Adds the changes in a Git repository of the workspace as a source: the working tree, the staged changes, or the differences from a branch.',
    guide:
      'Get the changes, read them to the end, and submit what changed and why, file by file, each sentence with its citation.',
    input: v.object({
      of: v.optional(
        v.pipe(
          words,
          v.description(
            '"working-tree" (default), "staged", or the name of a branch or commit to compare with.',
          ),
        ),
      ),
      repository: v.optional(
        v.pipe(words, v.description('Part of its path, if there are several repositories.')),
      ),
    }),
    run: async ({ of = 'working-tree', repository }, { finder, signal }) => {
      const which = of === 'staged' || of === 'working-tree' ? of : { ref: of };
      const changes = await withTimeout(gitDiff(which, repository), signal, late());
      if (changes.text.trim() === '') return { text: 'Nothing changed.' };
      const title = `Changes of ${changes.repository}: ${of}`;
      const documentId = await ensureDocument(title, changes.text, notebook, adder);
      throwIfCanceled(signal);
      const passages =
        documentId === undefined
          ? []
          : await finder.at([{ documentId, span: { start: 0, end: FIRST_OF_DIFF } }]);
      const result = passagesAsResult(passages);
      const size = `${String(changes.text.split('\n').length)} lines. The first ones follow.`;
      return { ...result, text: `${JSON.stringify(title)} is now a source with ${size}\n${result.text}` };
    },
  });
}

/** Returns the document of a text that is a source. Reuses a source with the same title and text. */
async function ensureDocument(
  title: string,
  text: string,
  notebook: NotebookClient,
  adder: SourceAdder,
): Promise<number | undefined> {
  const known = (await notebook.call('sources', {})).filter((source) => source.title === title);
  for (const { id } of known) {
    const [entry] = await notebook.call('documents', { sourceId: id });
    if (entry === undefined) continue;
    const stored = await notebook.call('document', { documentId: entry.id });
    if (stored.text.trim() === text.trim()) return entry.id;
  }
  const before = new Set((await notebook.call('sources', {})).map(({ id }) => id));
  await adder.addWholeText({ title, text, name: 'changes.diff' });
  const added = (await notebook.call('sources', {})).find(({ id }) => !before.has(id));
  return added && (await notebook.call('documents', { sourceId: added.id }))[0]?.id;
}

/** Returns workspace symbols whose name contains a name, exact matches first. */
async function symbolsNamed(name: string, signal: AbortSignal): Promise<vscode.SymbolInformation[]> {
  const symbols = await withTimeout(
    vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      name,
    ),
    signal,
    late(),
  );
  const rank = (own: string): number => (own === name ? 0 : own.toLowerCase() === name.toLowerCase() ? 1 : 2);
  return (symbols ?? [])
    .filter(({ location }) => isOfWorkspace(location.uri))
    .toSorted((a, b) => rank(a.name) - rank(b.name));
}

/**
 * Returns the position of a name in its definition. Some providers return the whole definition, from its comment on.
 */
async function findNamePosition(
  name: string,
  uri: vscode.Uri,
  range: vscode.Range,
): Promise<vscode.Position> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.getText(range).indexOf(name);
  return at < 0 ? range.start : document.positionAt(document.offsetAt(range.start) + at);
}

/** Returns the results, with passages of those files that are sources. */
async function withPassages(
  lines: readonly string[],
  count: number,
  locations: readonly vscode.Location[],
  notebook: NotebookClient,
  { finder, sources, signal }: SkillContext,
): Promise<SkillResult> {
  throwIfCanceled(signal);
  const researched = new Set((await sources()).map(({ id }) => id));
  const places: PassagePlace[] = [];
  for (const { uri, range } of locations.slice(0, MAX_CITED)) {
    const entries = await notebook.call('documentsAt', { uri: uri.toString() });
    const entry = entries.find(({ sourceId }) => researched.has(sourceId));
    if (entry === undefined) continue;
    const { text } = await notebook.call('document', { documentId: entry.id });
    const span = linesAround(text, range.start.line, range.end.line);
    if (span !== undefined) places.push({ documentId: entry.id, span });
  }
  const passages: readonly FoundPassage[] = places.length === 0 ? [] : await finder.at(places);
  const more = count > lines.length ? [`… and ${String(count - lines.length)} more.`] : [];
  const cited =
    passages.length === 0
      ? ['None of these files is a source, so they can’t be cited.']
      : [passagesAsResult(passages).text];
  return { text: [...lines, ...more, ...cited].join('\n'), passages };
}

/** Returns the span of some lines of a text and a few around them; undefined if the text has no such lines. */
function linesAround(text: string, first: number, last: number): PassagePlace['span'] | undefined {
  const to = Math.min(last, first + 10) + AROUND;
  let start: number | undefined;
  let at = 0;
  for (let line = 0; line <= to && at < text.length; line++) {
    if (line === Math.max(0, first - AROUND)) start = at;
    const next = text.indexOf('\n', at);
    at = next < 0 ? text.length : next + 1;
  }
  return start === undefined || start >= at ? undefined : { start, end: at };
}

/** Returns the line of each location, up to the maximum number of files. */
async function readLines(locations: readonly vscode.Location[]): Promise<readonly string[]> {
  const files = new Map<string, readonly string[]>();
  const lines: string[] = [];
  for (const { uri, range } of locations) {
    const key = uri.toString();
    if (!files.has(key) && files.size < MAX_FILES) files.set(key, await fileLines(uri));
    lines.push(files.get(key)?.[range.start.line] ?? '');
  }
  return lines;
}

async function fileLines(uri: vscode.Uri): Promise<readonly string[]> {
  try {
    return new TextDecoder().decode(await readSmallFile(uri, MAX_FILE_SIZE)).split('\n');
  } catch {
    // The file may be gone, or too large.
    return [];
  }
}

function isOfWorkspace(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined && !uri.path.includes('/node_modules/');
}

function formatPlace({ uri, range }: vscode.Location): string {
  return `${vscode.workspace.asRelativePath(uri)}:${String(range.start.line + 1)}`;
}

function late(): { readonly milliseconds: number; readonly sentence: string } {
  return {
    milliseconds: TIMEOUT_MS,
    sentence: vscode.l10n.t('VS Code didn’t respond in time. It may still be indexing the workspace.'),
  };
}
