import * as vscode from 'vscode';
import type { ConversationEntry } from '../store/conversations-api.ts';
import { conversationAsMarkdown } from '../../../core/domain/answer-markdown.ts';
import { withShownVerdicts, type Answer } from '../../../core/domain/answer.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import { answerAsNote } from '../../../core/domain/note-markdown.ts';
import type { NoteExporter } from '../../notes/editor/note-exporter.ts';
import type { Conversation } from './conversation.ts';
import { isConfirmed, chosenFrom } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { sharedWords } from './shared-mark.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Delay between the last key and the search of conversations, in milliseconds. */
const SEARCH_DELAY = 150;

const buttons = {
  rename: { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Rename') },
  export: { iconPath: new vscode.ThemeIcon('export'), tooltip: vscode.l10n.t('Export…') },
  remove: { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') },
} as const;

const ACTIONS = ['rename', 'export', 'remove'] as const;

interface Item extends vscode.QuickPickItem {
  /** Undefined for the item that reports that there are no conversations. */
  readonly entry: ConversationEntry | undefined;
}

interface Choice {
  readonly entry: ConversationEntry;
  readonly action: 'open' | (typeof ACTIONS)[number];
}

/**
 * Lists the conversations. The entered text is searched in titles, questions, and answers; Enter opens a conversation.
 */
export async function showConversations(
  notebook: NotebookClient,
  conversation: Conversation,
  exporter: NoteExporter,
): Promise<void> {
  for (;;) {
    const current = await conversation.id();
    const choice = await chooseConversation(notebook, current);
    if (choice === undefined) return;
    const { entry, action } = choice;
    switch (action) {
      case 'open':
        if (entry.id !== current) await conversation.show(entry.id);
        return;
      case 'export':
        await exportConversation(notebook, entry, exporter);
        return;
      case 'rename':
        await renameConversation(notebook, entry);
        break;
      case 'remove':
        if ((await removeConversation(notebook, entry)) && entry.id === current)
          await conversation.show(undefined);
        break;
    }
  }
}

async function chooseConversation(notebook: NotebookClient, current: string): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Conversations');
  picker.placeholder = vscode.l10n.t('Search titles, questions, and answers');
  let latest = 0;
  const search = async (): Promise<void> => {
    const requestId = ++latest;
    picker.busy = true;
    const entries = await notebook.call('conversations', { words: picker.value });
    if (requestId !== latest) return;
    picker.items =
      entries.length > 0 ? entries.map((entry) => makeItem(entry, current)) : [none(picker.value)];
    picker.busy = false;
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await chosenFrom<Choice, Item>(picker, (choose, fail) => {
      picker.onDidChangeValue(() => {
        clearTimeout(timer);
        timer = setTimeout(() => void search().catch(fail), SEARCH_DELAY);
      });
      picker.onDidTriggerItemButton(({ button, item: { entry } }) => {
        const action = ACTIONS.find((name) => buttons[name] === button);
        if (action !== undefined && entry !== undefined) choose({ entry, action });
      });
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        if (item?.entry !== undefined) choose({ entry: item.entry, action: 'open' });
      });
      search().catch(fail);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Exports a conversation as a note of its questions and answers. */
export async function exportConversation(
  notebook: NotebookClient,
  { id, title }: Pick<ConversationEntry, 'id' | 'title'>,
  exporter: NoteExporter,
): Promise<void> {
  const turns = await notebook.call('allTurns', { conversationId: id });
  const style = verdictMarkStyle();
  const parts = turns.map(({ question, answer }) => {
    const nothing: Answer = { kind: 'nothing', text: '', citations: [] };
    return answerAsNote(question, withShownVerdicts(answer ?? nothing), style, { level: 2 });
  });
  await exporter.export({
    title,
    text: [`# ${sanitizeWords(title)}\n\n`, ...parts.map(({ text }) => text)].join(''),
    citations: parts.flatMap(({ citations }) => citations),
    asMarkdown: () => conversationAsMarkdown(title, turns, style),
  });
}

/** Returns the item to show if there are no conversations. */
function none(words: string): Item {
  const label =
    words.trim() === ''
      ? vscode.l10n.t('No conversations yet. Ask a question to start one.')
      : vscode.l10n.t('No matching conversations');
  return { entry: undefined, label, alwaysShow: true };
}

function makeItem(entry: ConversationEntry, current: string): Item {
  const { language } = vscode.env;
  const questions =
    entry.turns === 1
      ? vscode.l10n.t('1 question')
      : vscode.l10n.t('{0} questions', entry.turns.toLocaleString(language));
  const formattedDate = new Date(entry.askedAt).toLocaleString(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return {
    entry,
    label: literalText(entry.title.replaceAll(/\s+/g, ' ')),
    description: [
      questions,
      formattedDate,
      ...[sharedWords(entry.sharedBy)].filter((words) => words !== undefined),
      ...(entry.id === current ? [vscode.l10n.t('current')] : []),
    ].join(' · '),
    // The notebook filters the list, because its search includes the answers.
    alwaysShow: true,
    buttons: [buttons.rename, buttons.export, buttons.remove],
  };
}

async function renameConversation(notebook: NotebookClient, { id, title }: ConversationEntry): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Conversation'),
    prompt: vscode.l10n.t('Leave empty to use the first question'),
    value: title,
  });
  if (typed !== undefined) await notebook.call('renameConversation', { conversationId: id, title: typed });
}

async function removeConversation(
  notebook: NotebookClient,
  { id, title, sharedBy }: ConversationEntry,
): Promise<boolean> {
  const question = vscode.l10n.t('Delete the conversation “{0}”?', title);
  const detail =
    sharedBy === undefined
      ? vscode.l10n.t('This deletes its questions and answers. Your sources aren’t affected.')
      : sharedBy === ''
        ? vscode.l10n.t(
            'You shared this conversation with the team, so this deletes it for everyone. Your sources aren’t affected.',
          )
        : vscode.l10n.t(
            'This deletes the conversation for everyone except {0}, who shared it. Your sources aren’t affected.',
            sharedBy,
          );
  if (!(await isConfirmed(question, vscode.l10n.t('Delete'), detail))) return false;
  await notebook.call('removeConversation', { conversationId: id });
  return true;
}
