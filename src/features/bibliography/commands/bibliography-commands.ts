import * as vscode from 'vscode';
import type { DocumentBibliography } from '../../../index/store/sources/references-api.ts';
import {
  parseArxiv,
  parseDoi,
  peopleAsText,
  parsePeople,
  type Bibliography,
} from '../../../core/domain/bibliography.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { DocumentEntry } from '../../../core/domain/source.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { lookUpWork } from './look-up-work.ts';
import type { SourcesNode } from '../../sources/editor/source-items.ts';
import { withNotification, inform } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { Services } from '../../../services/services.ts';
import type { Commands } from '../../../platform/register-commands.ts';

/** Line of a reference's metadata, and the function that edits it. */
interface Field extends vscode.QuickPickItem {
  readonly change: (reference: Bibliography) => Promise<Bibliography | undefined>;
}

const NOTHING: Bibliography = {
  title: undefined,
  authors: [],
  year: undefined,
  doi: undefined,
  arxiv: undefined,
};

/** Returns the commands for the metadata of sources, by name. */
export function bibliographyCommands({
  adder,
  notebook,
  reader,
  workspaceState: memory,
  sourcesView,
}: Services): Commands {
  const chosenDocument = async (clicked?: SourcesNode): Promise<DocumentEntry> => {
    const node = clicked ?? sourcesView.selection[0];
    const document =
      node?.kind === 'document'
        ? node.document
        : node && (await notebook.call('documents', { sourceId: node.source.id }))[0];
    if (document === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('In the Sources view, select a source that Open Notebook has finished reading.'),
      );
    return document;
  };
  return {
    addWork: async () => {
      const number = await askForNumber(vscode.l10n.t('Add Reference'));
      if (number === undefined) return;
      const { addWork } = await import('./add-work.ts');
      await withNotification(lookingUp(number), (signal) =>
        addWork({ adder, notebook, reader, memory }, number, signal),
      );
    },
    editBibliography: async (clicked?: SourcesNode) => {
      await editBibliography(notebook, await chosenDocument(clicked), memory);
    },
    lookUpBibliography: async (clicked?: SourcesNode) => {
      const document = await chosenDocument(clicked);
      const known = await notebook.call('bibliography', { documentId: document.id });
      const reference = known?.edited ?? known?.found ?? NOTHING;
      const number = reference.doi ?? reference.arxiv ?? (await askForNumber());
      if (number === undefined) return;
      const bibliography = await lookedUp(number, memory);
      if (bibliography === undefined) return;
      await notebook.call('editBibliography', { documentId: document.id, bibliography });
      inform(
        vscode.l10n.t(
          'Retrieved the metadata of “{1}” for “{0}”.',
          document.title,
          bibliography.title ?? number,
        ),
      );
    },
    copyCitationKey: async (clicked?: SourcesNode) => {
      const document = await chosenDocument(clicked);
      let known = await notebook.call('bibliography', { documentId: document.id });
      if (known === undefined) {
        // A document without metadata can be cited by its title.
        const bibliography = { ...NOTHING, title: document.title };
        await notebook.call('editBibliography', { documentId: document.id, bibliography });
        known = await notebook.call('bibliography', { documentId: document.id });
      }
      if (known !== undefined) await vscode.env.clipboard.writeText(`[@${known.key}]`);
    },
  };
}

/** Lists the metadata of a document. A chosen field is edited, and then the list is shown again. */
async function editBibliography(
  notebook: NotebookClient,
  { id: documentId, title }: DocumentEntry,
  memory: vscode.Memento,
): Promise<void> {
  for (;;) {
    const known = await notebook.call('bibliography', { documentId });
    const reference = known?.edited ?? known?.found ?? { ...NOTHING, title };
    const chosen = await vscode.window.showQuickPick(listFields(reference, known, memory), {
      title: vscode.l10n.t('Metadata of “{0}”', title),
      placeHolder: vscode.l10n.t('Select a field to edit'),
    });
    if (chosen === undefined) return;
    const changed = await chosen.change(reference);
    if (changed !== undefined)
      await notebook.call('editBibliography', {
        documentId,
        bibliography: changed === known?.found ? undefined : changed,
      });
  }
}

function listFields(
  reference: Bibliography,
  known: DocumentBibliography | undefined,
  memory: vscode.Memento,
): Field[] {
  const field = (
    label: string,
    value: string,
    prompt: string,
    change: (typed: string) => Partial<Bibliography> | undefined,
  ): Field => ({
    label,
    description: value === '' ? vscode.l10n.t('not set') : literalText(value),
    change: async () => {
      const typed = await vscode.window.showInputBox({
        title: label,
        value,
        prompt,
        validateInput: (text) =>
          text.trim() === '' || change(text) !== undefined
            ? undefined
            : vscode.l10n.t('Invalid value. {0}', prompt),
      });
      return typed === undefined ? undefined : { ...reference, ...change(typed) };
    },
  });
  const bibliography = known?.edited === undefined ? undefined : known.found;
  return [
    field(
      vscode.l10n.t('Title'),
      reference.title ?? '',
      vscode.l10n.t('Title of the reference'),
      (typed) => ({
        title: typed.trim() || undefined,
      }),
    ),
    field(
      vscode.l10n.t('Authors'),
      peopleAsText(reference.authors),
      vscode.l10n.t('Example: Wang, Guanzhi; Xie, Yuqi; {World Health Organization}'),
      (typed) => ({ authors: parsePeople(typed) }),
    ),
    field(vscode.l10n.t('Year'), String(reference.year ?? ''), vscode.l10n.t('Example: 2023'), (typed) => {
      if (typed.trim() === '') return { year: undefined };
      return /^\s*\d{3,4}\s*$/.test(typed) ? { year: Number(typed) } : undefined;
    }),
    field('DOI', reference.doi ?? '', vscode.l10n.t('Example: 10.1000/182'), (typed) => {
      const doi = parseDoi(typed);
      return typed.trim() !== '' && doi === undefined ? undefined : { doi };
    }),
    field('arXiv', reference.arxiv ?? '', vscode.l10n.t('Example: 2305.16291'), (typed) => {
      const arxiv = parseArxiv(typed);
      return typed.trim() !== '' && arxiv === undefined ? undefined : { arxiv };
    }),
    {
      label: `$(search) ${vscode.l10n.t('Retrieve metadata by DOI or arXiv ID')}`,
      change: async () => {
        const number = reference.doi ?? reference.arxiv ?? (await askForNumber());
        return number === undefined ? undefined : lookedUp(number, memory);
      },
    },
    ...(bibliography === undefined
      ? []
      : [
          {
            label: `$(discard) ${vscode.l10n.t('Restore metadata from the source')}`,
            change: () => Promise.resolve(bibliography),
          },
        ]),
  ];
}

async function askForNumber(title = vscode.l10n.t('Retrieve Metadata')): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Enter a DOI such as 10.1000/182, or an arXiv ID such as 2305.16291'),
    validateInput: (text) =>
      parseDoi(text) === undefined && parseArxiv(text) === undefined && text.trim() !== ''
        ? vscode.l10n.t('Enter a valid DOI or arXiv ID.')
        : undefined,
  });
  return typed === undefined ? undefined : (parseArxiv(typed) ?? parseDoi(typed));
}

/** Returns undefined if the user declines the lookup. */
async function lookedUp(number: string, memory: vscode.Memento): Promise<Bibliography | undefined> {
  return withNotification(lookingUp(number), (signal) => lookUpWork(number, memory, signal));
}

function lookingUp(number: string): string {
  return vscode.l10n.t('Retrieving metadata for {0}', number);
}
