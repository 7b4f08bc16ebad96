import * as vscode from 'vscode';
import type { CopiedSources } from '../../../index/library/library-api.ts';
import { sourcesInWords } from '../../../core/domain/counts.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { Services } from '../../../services/services.ts';
import { showNotebook } from '../../notebooks/commands/notebook-commands.ts';
import { showInformation } from '../../../platform/dialogs.ts';
import { askForName, pickNotebook } from '../../notebooks/editor/notebook-picker.ts';
import { defaultName, type Notebooks } from '../../notebooks/editor/notebooks.ts';
import type { SourceReader } from '../editor/source-reader.ts';

/** Services to copy or move sources between notebooks. */
type TransferParts = Pick<Services, 'library' | 'notebooks' | 'reader'>;

/** Result of copying or moving sources between notebooks, identified by their keys. */
interface Transferred {
  readonly from: string;
  readonly to: string;
  readonly move: boolean;
  readonly outcome: CopiedSources;
}

/**
 * Copies or moves sources of the current notebook to another one, which the user picks; offers to undo it.
 * @throws NotebookError `empty` if none is selected
 */
export async function transferSources(
  parts: TransferParts,
  sources: readonly Source[],
  move: boolean,
): Promise<void> {
  const { notebooks, library, reader } = parts;
  const [first] = sources;
  if (first === undefined)
    throw new NotebookError('empty', vscode.l10n.t('Select the sources in the Sources view first.'));
  const from = notebooks.shown.key;
  const picked = await pickNotebook(notebooks, {
    title: move ? vscode.l10n.t('Move to Notebook') : vscode.l10n.t('Copy to Notebook'),
    placeHolder:
      sources.length === 1
        ? vscode.l10n.t('Select the notebook for “{0}”', first.title)
        : vscode.l10n.t('Select the notebook for {0} sources', sources.length),
    without: from,
  });
  if (picked === undefined) return;
  const to = picked === 'new' ? await makeNotebook(notebooks) : picked.key;
  if (to === undefined) return;
  const sourceIds = sources.map(({ id }) => id);
  await settle(reader, sourceIds);
  const title = move ? vscode.l10n.t('Moving sources') : vscode.l10n.t('Copying sources');
  const directories = { from: notebooks.directoryFor(from), to: notebooks.directoryFor(to) };
  const outcome = await library.work(title, 'copySources', { ...directories, sourceIds, move });
  const copied = outcome.copied.length;
  const entry = await notebooks.folders.entry(notebooks.toId(to));
  const total = sourcesInWords(sources.length);
  const amount =
    copied === sources.length ? total : vscode.l10n.t('{0} of {1}', copied.toLocaleString(), total);
  const name = entry?.name ?? defaultName();
  const done = move
    ? vscode.l10n.t('Moved {0} to “{1}”.', amount, name)
    : vscode.l10n.t('Copied {0} to “{1}”.', amount, name);
  const rest = outcome.there === 0 ? '' : ` ${vscode.l10n.t('Already there: {0}.', outcome.there)}`;
  const staying =
    move && copied > 0 && (await notebooks.client(from).call('tables', {})).length > 0
      ? ` ${vscode.l10n.t('Extraction tables stay in the original notebook and keep the answers from these sources.')}`
      : '';
  const show = vscode.l10n.t('Show');
  const undo = vscode.l10n.t('Undo');
  const buttons = copied === 0 ? [show] : [show, undo];
  const answer = await showInformation(done + rest + staying, buttons);
  if (answer === show) await showNotebook(notebooks, to);
  if (answer === undo) await takeBack(parts, { from, to, move, outcome });
}

/** Undoes the copying or moving of sources. Citations of moved sources work again in the original notebook. */
async function takeBack(
  { notebooks, library, reader }: TransferParts,
  { from, to, move, outcome }: Transferred,
): Promise<void> {
  const { copied, numbers } = outcome;
  if (to === notebooks.shown.key) await settle(reader, copied);
  if (!move) {
    await notebooks.client(to).call('removeSources', { sourceIds: copied });
    return;
  }
  await library.work(vscode.l10n.t('Moving sources back'), 'copySources', {
    from: notebooks.directoryFor(to),
    to: notebooks.directoryFor(from),
    sourceIds: copied,
    move: true,
    numbers: new Map([...numbers].map(([before, now]) => [now, before])),
  });
}

/** Stops reading sources and waits until it has ended. */
async function settle(reader: SourceReader, sourceIds: readonly string[]): Promise<void> {
  for (const id of sourceIds) {
    reader.stop(id);
    await reader.waitUntilIdle(id);
  }
}

/** Creates a notebook with a name from the user and returns its key; undefined if they cancel. */
async function makeNotebook(notebooks: Notebooks): Promise<string | undefined> {
  const name = await askForName(notebooks, { title: vscode.l10n.t('New Notebook') });
  return name === undefined ? undefined : (await notebooks.folders.create(name)).id;
}
