import * as vscode from 'vscode';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import { isReplica } from '../../notebooks/editor/team-links.ts';
import type { ChatView } from './chat-view.ts';
import type { Conversation } from './conversation.ts';

interface MarkParts {
  readonly notebook: NotebookClient;
  readonly notebooks: Notebooks;
  readonly conversation: Conversation;
  readonly chatView: ChatView;
}

/**
 * Shows beside the chat's title who of a team sees the current conversation, and shows questions of other members in
 * it.
 */
export function markShared({ notebook, notebooks, conversation, chatView }: MarkParts): vscode.Disposable {
  let wasShared: string | undefined;
  const look = async (): Promise<void> => {
    if (!isReplica(notebooks.shown.key) || !notebook.isOpen) {
      chatView.describe(undefined);
      return;
    }
    const id = await conversation.id();
    const entries = await notebook.call('conversations', { words: '' });
    const { sharedBy } = entries.find((entry) => entry.id === id) ?? {};
    // The conversation was shared when it was last shown, and others may have added questions.
    if (sharedBy !== undefined || wasShared === id) await conversation.followOthers();
    wasShared = sharedBy === undefined ? undefined : id;
    chatView.describe(sharedWords(sharedBy) ?? vscode.l10n.t('visible only to you'));
  };
  // The next change updates the description.
  const refresh = (): void => void look().catch(() => undefined);
  return vscode.Disposable.from(
    notebook.onDidOpen(refresh),
    notebook.onDidSwitch(refresh),
    notebook.onDidChange(refresh),
    conversation.onDidReplace(refresh),
  );
}

/** Returns the text that shows who shares a conversation; undefined for a private one. */
export function sharedWords(sharedBy: string | undefined): string | undefined {
  if (sharedBy === undefined) return undefined;
  return sharedBy === '' ? vscode.l10n.t('shared with the team') : vscode.l10n.t('shared by {0}', sharedBy);
}
