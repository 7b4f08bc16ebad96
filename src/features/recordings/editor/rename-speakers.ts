import * as vscode from 'vscode';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import type { Speaker, SpeakerNames } from '../../../core/domain/recordings.ts';
import type { DocumentEntry, Source } from '../../../core/domain/source.ts';
import type { ReadRequest } from '../../../parsers/api.ts';
import { inform } from '../../../platform/dialogs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { number } from '../../../platform/shown-number.ts';
import { lastSegment, readContent } from '../../../platform/workspace-files.ts';
import { contentBeside } from './captions-beside.ts';

/** Maximum length of a name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 60;

/** Dependencies of the command that renames speakers. */
interface RenameSpeakersParts {
  readonly notebook: NotebookClient;
  readonly readers: {
    readonly listSpeakers: (
      file: Pick<ReadRequest, 'captions' | 'content' | 'name' | 'transcripts'>,
    ) => Promise<readonly Speaker[]>;
  };
  /** Folder with the transcripts of recordings. */
  readonly transcripts: string;
  /** Reads a source again. */
  readonly read: (source: Source) => Promise<void>;
}

interface SpeakerItem extends vscode.QuickPickItem {
  /** Speaker to rename; undefined to reset all names. */
  readonly speaker?: string;
}

/**
 * Asks for new names of the speakers in a recording until the user closes the list. The names apply to the whole
 * source, which is read again.
 * @throws NotebookError as reading the recording does
 */
export async function renameSpeakers(
  { notebook, readers, transcripts, read }: RenameSpeakersParts,
  { sourceId, uri: address }: Pick<DocumentEntry, 'sourceId' | 'uri'>,
): Promise<void> {
  const uri = vscode.Uri.parse(address);
  const name = lastSegment(uri);
  const { captions } = await contentBeside(uri);
  const file = { content: await readContent(uri), name, captions, transcripts };
  const speakers = await readers.listSpeakers(file);
  if (speakers.length === 0) {
    inform(vscode.l10n.t('The transcript of {0} doesn’t name any speakers.', name));
    return;
  }
  for (;;) {
    const source = (await notebook.call('sources', {})).find(({ id }) => id === sourceId);
    if (source?.origin.kind !== 'file' && source?.origin.kind !== 'folder') return;
    const names = await askForNames(speakers, source.origin.speakers ?? {});
    if (names === undefined) return;
    await notebook.call('nameSpeakers', { sourceId, speakers: names });
    await read(source);
  }
}

/** Asks for the new name of a speaker, and returns all changed names; undefined if the user cancels. */
async function askForNames(
  speakers: readonly Speaker[],
  names: SpeakerNames,
): Promise<SpeakerNames | undefined> {
  const items: SpeakerItem[] = speakers.map(({ name, captions, words }) => ({
    label: names[name] ?? name,
    description: [
      ...(names[name] === undefined ? [] : [vscode.l10n.t('“{0}” in the captions', name)]),
      captions === 1 ? vscode.l10n.t('1 caption') : vscode.l10n.t('{0} captions', number(captions)),
    ].join(' · '),
    detail: words,
    speaker: name,
  }));
  if (Object.keys(names).length > 0)
    items.push(
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: vscode.l10n.t('Reset All Names'), iconPath: new vscode.ThemeIcon('discard') },
    );
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Rename Speakers'),
    placeHolder: vscode.l10n.t('Select a speaker to rename'),
  });
  if (chosen === undefined) return undefined;
  const { speaker } = chosen;
  if (speaker === undefined) return {};
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename “{0}”', chosen.label),
    prompt: vscode.l10n.t('Clear the name to restore “{0}”.', speaker),
    value: chosen.label,
    validateInput: (value) =>
      value.length > MAX_NAME_LENGTH
        ? vscode.l10n.t('Enter at most {0} characters.', MAX_NAME_LENGTH)
        : undefined,
  });
  if (name === undefined) return undefined;
  const others = Object.entries(names).filter(([one]) => one !== speaker);
  const title = plainTitle(name).trim();
  return Object.fromEntries(title === '' || title === speaker ? others : [...others, [speaker, title]]);
}
