import * as vscode from 'vscode';
import type { ContextSelection } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { askAboutCommands } from './ask-about-commands.ts';
import { type Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { askForQuestion } from './prompts.ts';
import { exportConversation, showConversations } from '../editor/conversation-list.ts';
import { showDiagnostics } from '../../../platform/diagnostics.ts';
import { pickScope } from '../editor/scope-picker.ts';
import { selectionCommands } from './selection-commands.ts';

/** Returns the commands that ask questions and open conversations. */
export function chatCommands({
  adder,
  readers,
  pdfs,
  copies,
  notebook,
  conversation,
  chat,
  chatView,
  chatTabs,
  log,
  version,
  models,
  scopes,
  readReports,
  exporter,
}: Services): Commands {
  const ask = async (question: string, selection?: ContextSelection): Promise<void> => {
    await chat.focus();
    await conversation.ask(question, selection);
  };
  return {
    ...selectionCommands({ adder, pdfs, copies, ask }),
    ...askAboutCommands({ adder, readers, ask }),
    ask: async () => {
      const sources = await notebook.call('sources', {});
      const question = await askForQuestion(await scopes.describeScope(sources));
      if (question !== undefined) await ask(question);
    },
    showConversations: async () => {
      await showConversations(notebook, conversation, exporter);
      await chat.focus();
    },
    exportConversation: async () => {
      const id = await conversation.id();
      const [turns, entries] = await Promise.all([
        conversation.turns(),
        notebook.call('conversations', { words: '' }),
      ]);
      const title = entries.find((entry) => entry.id === id)?.title ?? turns[0]?.question;
      if (title === undefined)
        throw new NotebookError(
          'empty',
          vscode.l10n.t('There’s nothing to export yet. Ask a question first.'),
        );
      await exportConversation(notebook, { id, title }, exporter);
    },
    openChat: () => chatView.focus(),
    openChatInEditor: () => chatTabs.open(),
    openChatInNewWindow: () => chatTabs.openInNewWindow(),
    newConversation: async () => {
      await conversation.startNew();
      await chat.focus();
    },
    pickScope: async () => {
      if (await pickScope(scopes, await notebook.call('sources', {}))) await chat.focus();
    },
    showWhatWasRead: (turnId?: unknown) => readReports.show(typeof turnId === 'string' ? turnId : undefined),
    openSettings: async () => {
      await vscode.commands.executeCommand(
        'workbench.action.openSettings',
        '@ext:open-notebook.open-notebook',
      );
    },
    showLog: () => log.show(),
    showDiagnostics: async () => {
      await showDiagnostics(notebook, (await models.of(await conversation.id())).current, version);
    },
  };
}
