import * as vscode from 'vscode';
import { headingOfLine } from '../../../core/language/markdown-lines.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { foldedName, noteLinks, type NoteLink } from '../../../core/domain/note-links.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { showErrors } from '../../../platform/show-errors.ts';
import { NOTES, noteUri, titleOfUri, type NotebooksByKey } from './note-files.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Command that opens the target of a link by title, heading, and the key of the notebook. */
export const OPEN_NOTE_LINK = 'openNotebook.openNoteLink';

/** Maximum number of suggested notes, sources, or tags, and the length of a note's preview in UTF-16 code units. */
const MAX_SUGGESTIONS = 200;
const MAX_PREVIEW_LENGTH = 600;

/** Target of a link: a note, a source, or nothing yet. */
type Target =
  | { readonly kind: 'note'; readonly title: string }
  | { readonly kind: 'source'; readonly source: Source }
  | undefined;

/**
 * Links by title between notes and to sources, `[[Garden]]`, and tags, `#garden`: completion, hover, opening, and
 * references.
 */
export class NoteLinks
  extends Disposable
  implements
    vscode.CompletionItemProvider,
    vscode.HoverProvider,
    vscode.DocumentLinkProvider,
    vscode.DefinitionProvider,
    vscode.ReferenceProvider
{
  readonly #notebooks: Pick<NotebooksByKey, 'client'>;
  readonly #openSource: (source: Source) => Promise<void>;

  constructor(notebooks: Pick<NotebooksByKey, 'client'>, openSource: (source: Source) => Promise<void>) {
    super();
    this.#notebooks = notebooks;
    this.#openSource = openSource;
    this._register(
      vscode.languages.registerCompletionItemProvider(NOTES, this, '[', '#'),
      vscode.languages.registerHoverProvider(NOTES, this),
      vscode.languages.registerDocumentLinkProvider(NOTES, this),
      vscode.languages.registerDefinitionProvider(NOTES, this),
      vscode.languages.registerReferenceProvider(NOTES, this),
      vscode.commands.registerCommand(OPEN_NOTE_LINK, (title: unknown, heading: unknown, key: unknown) =>
        typeof title === 'string'
          ? this.#open(
              title,
              typeof heading === 'string' ? heading : undefined,
              typeof key === 'string' ? key : '',
            )
          : undefined,
      ),
    );
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[] | undefined> {
    const before = document.lineAt(position).text.slice(0, position.character);
    const notebook = this.#notebooks.client(document.uri.authority);
    const [, title] = /\[\[([^[\]|#]{0,300})$/.exec(before) ?? [];
    if (title !== undefined) return this.#titles(notebook, position, title, document);
    const [, tag] = /(?:^|[\s(])#([\p{L}\p{N}_/-]{0,99})$/u.exec(before) ?? [];
    if (tag === undefined || (before === '#' && tag === '')) return undefined;
    const { tags } = await notebook.call('noteMarks', {});
    return tags.slice(0, MAX_SUGGESTIONS).map(({ name, count }) => {
      const item = new vscode.CompletionItem(
        { label: name, description: countInWords(count) },
        vscode.CompletionItemKind.Keyword,
      );
      item.range = new vscode.Range(position.translate(0, -tag.length), position);
      return item;
    });
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const link = linkAt(document, position);
    if (link === undefined) return undefined;
    const notebook = this.#notebooks.client(document.uri.authority);
    const target = await findTarget(notebook, link.title);
    const card = new vscode.MarkdownString();
    if (target?.kind === 'note') {
      const { text } = await notebook.call('note', { title: target.title });
      // Shows the note as plain text, so that nothing in it loads or runs.
      card.appendText(text.length > MAX_PREVIEW_LENGTH ? `${text.slice(0, MAX_PREVIEW_LENGTH)}…` : text);
    } else if (target?.kind === 'source') card.appendText(target.source.title);
    else
      card.appendText(
        vscode.l10n.t('The note “{0}” doesn’t exist yet. Open the link to create it.', link.title),
      );
    return new vscode.Hover(card, linkRange(document, link));
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    return noteLinks(document.getText()).map((link) => {
      const parameters = [link.title, link.heading ?? null, document.uri.authority];
      const uri = vscode.Uri.parse(
        `command:${OPEN_NOTE_LINK}?${encodeURIComponent(JSON.stringify(parameters))}`,
      );
      const shown = new vscode.DocumentLink(linkRange(document, link), uri);
      shown.tooltip = vscode.l10n.t('Open “{0}”', link.title);
      return shown;
    });
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location | undefined> {
    const link = linkAt(document, position);
    if (link === undefined) return undefined;
    const notebook = this.#notebooks.client(document.uri.authority);
    const target = await findTarget(notebook, link.title);
    return target?.kind === 'note'
      ? new vscode.Location(noteUri(target.title, notebook), new vscode.Position(0, 0))
      : undefined;
  }

  /** Returns the references to the note that the link under the cursor names, or else to this note. */
  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[]> {
    const title = linkAt(document, position)?.title ?? titleOfUri(document.uri);
    if (title === undefined) return [];
    const notebook = this.#notebooks.client(document.uri.authority);
    const linking = await notebook.call('backlinks', { title });
    const locations: vscode.Location[] = [];
    for (const { title: from } of linking) {
      const uri = noteUri(from, notebook);
      const other = await vscode.workspace.openTextDocument(uri);
      for (const link of noteLinks(other.getText()))
        if (foldedName(link.title) === foldedName(title))
          locations.push(new vscode.Location(uri, linkRange(other, link)));
    }
    return locations;
  }

  async #titles(
    notebook: NotebookClient,
    position: vscode.Position,
    typed: string,
    document: vscode.TextDocument,
  ): Promise<vscode.CompletionItem[]> {
    const [notes, sources] = await Promise.all([notebook.call('notes', {}), notebook.call('sources', {})]);
    const own = titleOfUri(document.uri);
    const after = document.lineAt(position).text.slice(position.character);
    const closing = after.startsWith(']]') ? '' : ']]';
    const range = new vscode.Range(position.translate(0, -typed.length), position);
    const offer = (title: string, kind: vscode.CompletionItemKind): vscode.CompletionItem => {
      const item = new vscode.CompletionItem(title, kind);
      item.range = range;
      item.insertText = title + closing;
      return item;
    };
    return [
      ...notes
        .filter(({ title }) => title !== own)
        .slice(0, MAX_SUGGESTIONS)
        .map(({ title }) => offer(title, vscode.CompletionItemKind.File)),
      ...sources
        // Titles with characters that a link can't contain aren't suggested.
        .filter(({ title }) => !/[[\]|#]/.test(title))
        .slice(0, MAX_SUGGESTIONS)
        .map(({ title }) => offer(title, vscode.CompletionItemKind.Reference)),
    ];
  }

  async #open(title: string, heading: string | undefined, key: string): Promise<void> {
    await showErrors(async () => {
      const notebook = this.#notebooks.client(key);
      const target = await findTarget(notebook, title);
      if (target?.kind === 'source') {
        await this.#openSource(target.source);
        return;
      }
      const note = target?.title ?? (await addLinkedNote(notebook, title));
      const document = await vscode.workspace.openTextDocument(noteUri(note, notebook));
      const line = heading === undefined ? 0 : lineOfHeading(document.getText(), heading);
      const selection = new vscode.Range(line, 0, line, 0);
      await vscode.window.showTextDocument(document, { preview: false, selection });
    });
  }
}

/** Adds the note that a link led to before the note existed. */
async function addLinkedNote(notebook: NotebookClient, title: string): Promise<string> {
  const { noteTitle } = await import('../../../core/domain/note.ts');
  const named = noteTitle(title);
  if (named === '') throw new NotebookError('unsupported', vscode.l10n.t('A note needs a title.'));
  return (await notebook.call('addNote', { title: named, text: `# ${named}\n\n`, citations: [] })).title;
}

async function findTarget(notebook: NotebookClient, title: string): Promise<Target> {
  const foldedTitle = foldedName(title);
  const note = (await notebook.call('notes', {})).find((entry) => foldedName(entry.title) === foldedTitle);
  if (note !== undefined) return { kind: 'note', title: note.title };
  const source = (await notebook.call('sources', {})).find(
    (candidate) => foldedName(candidate.title) === foldedTitle,
  );
  return source && { kind: 'source', source };
}

function lineOfHeading(text: string, heading: string): number {
  const foldedHeading = foldedName(heading);
  const line = text.split('\n').findIndex((textLine) => {
    const marked = headingOfLine(textLine);
    return marked !== undefined && foldedName(marked.title) === foldedHeading;
  });
  return Math.max(0, line);
}

function linkAt(document: vscode.TextDocument, position: vscode.Position): NoteLink | undefined {
  const offset = document.offsetAt(position);
  return noteLinks(document.getText()).find(({ start, end }) => start <= offset && offset < end);
}

function linkRange(document: vscode.TextDocument, { start, end }: NoteLink): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function countInWords(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 note')
    : vscode.l10n.t('{0} notes', count.toLocaleString(vscode.env.language));
}
