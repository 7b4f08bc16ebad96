import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { fenceText } from '../../../core/language/markdown-lines.ts';
import type { Citation, Turn } from '../../../core/domain/answer.ts';
import { withoutVerdictMarks } from '../../../core/domain/verdict-marks.ts';
import { citationLinks } from '../../../core/domain/citation-links.ts';
import { withGaps } from '../../../core/language/cloze.ts';
import type { CardText } from '../model.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { plainMarkdown } from '../../../core/domain/selected-words.ts';
import type { ChatPages } from '../../chat/editor/chat-pages.ts';
import type { Conversation } from '../../chat/editor/conversation.ts';
import { NOTE_SCHEME } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { PdfViewer } from '../../pdf/editor/pdf-viewer.ts';
import type { StoredCopies } from '../../sources/editor/stored-copies.ts';
import type { CardTabs } from './generate.ts';
import { clock } from './clock.ts';
import { offer } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Services to create a card. */
interface CardFromSelectionParts {
  readonly notebook: NotebookClient;
  readonly cards: CardTabs;
  readonly pdfs: PdfViewer;
  readonly copies: StoredCopies;
  readonly chat: ChatPages;
  readonly conversation: Conversation;
  /** `true` if the selection in the chat is meant, whatever is selected elsewhere. */
  readonly isInChat: boolean;
}

/** Selected text as Markdown, and its location in a source. */
interface SelectedWords {
  readonly text: string;
  readonly citation?: Citation | undefined;
}

/** Maximum length of a selection on a card, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** Creates a card from the selection, in the deck that the user chooses. @throws NotebookError `empty` */
export async function makeCard(parts: CardFromSelectionParts): Promise<void> {
  const selected = await selectedWords(parts);
  if (selected === undefined || selected.text.trim() === '')
    throw new NotebookError('empty', vscode.l10n.t('Select some text first, then create a card from it.'));
  const text = await askForCard(selected.text.trim().slice(0, MAX_LENGTH).toWellFormed());
  if (text === undefined) return;
  const title = await askForDeck(parts.notebook);
  if (title === undefined) return;
  const card = { ...text, key: randomUUID(), maker: 'hand' as const, citation: selected.citation };
  const { deckId } = await parts.notebook.call('addCards', { title, cards: [card] });
  const { cards, notebook } = parts;
  const message = vscode.l10n.t('Added the card to “{0}”.', title);
  void offer(message, vscode.l10n.t('Study Now'), () =>
    cards.show({ notebook: notebook.key, kind: 'deck', id: deckId }, title),
  );
}

async function selectedWords(parts: CardFromSelectionParts): Promise<SelectedWords | undefined> {
  const { notebook, pdfs, copies, isInChat } = parts;
  if (isInChat) return await wordsOfAnswer(parts);
  const inPdf = await pdfs.selection();
  if (inPdf !== undefined) {
    if (inPdf.text === '') return undefined;
    const { uri } = await copies.findOriginal(inPdf.uri);
    const citation = await notebook.call('citeWords', { uri, words: inPdf.text, near: 0 });
    return { text: plainMarkdown(inPdf.text), citation };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return await wordsOfAnswer(parts);
  const { document, selection } = editor;
  const text = document.getText(selection);
  if (document.uri.scheme === NOTE_SCHEME) return await wordsOfNote(notebook, text);
  const isMarkdown = document.languageId === 'markdown';
  return {
    text: isMarkdown
      ? text
      : document.languageId === 'plaintext'
        ? plainMarkdown(text)
        : fenceText(text, document.languageId),
    citation: await notebook.call('citeWords', {
      uri: document.uri.toString(),
      words: text,
      near: document.offsetAt(selection.start),
    }),
  };
}

async function wordsOfAnswer({ chat, conversation }: CardFromSelectionParts): Promise<SelectedWords> {
  const text = await chat.selection();
  return { text, citation: text === '' ? undefined : citationOfAnswer(await conversation.turns(), text) };
}

/** Returns the selected text of a note without its links. The first citation in it becomes the card's citation. */
async function wordsOfNote(notebook: NotebookClient, text: string): Promise<SelectedWords> {
  const links = citationLinks(text);
  const ids = links.map(({ id }) => id);
  const [storedCitation] = ids.length === 0 ? [] : await notebook.call('noteCitations', { ids });
  const plain = links.reduceRight(
    (rest, { start, end }) => rest.slice(0, start).trimEnd() + rest.slice(end),
    text,
  );
  return { text: plain, citation: storedCitation?.citation };
}

async function askForCard(words: string): Promise<CardText | undefined> {
  const items = [
    {
      form: 'question' as const,
      label: vscode.l10n.t('Question card'),
      detail: vscode.l10n.t('Uses the selected text as the answer'),
    },
    {
      form: 'cloze' as const,
      label: vscode.l10n.t('Cloze card'),
      detail: vscode.l10n.t('Hides words in the selected text'),
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Create Card') });
  if (chosen === undefined) return undefined;
  if (chosen.form === 'question') {
    const front = await vscode.window.showInputBox({
      title: vscode.l10n.t('Create Card'),
      prompt: vscode.l10n.t('Enter the question for the front of the card'),
      validateInput: (value) =>
        value.trim() === '' ? vscode.l10n.t('Enter text for the front of the card.') : undefined,
    });
    return front === undefined ? undefined : { kind: 'question', front: front.trim(), back: words };
  }
  const gap = await vscode.window.showInputBox({
    title: vscode.l10n.t('Create Card'),
    prompt: vscode.l10n.t('Enter the words to hide'),
    validateInput: (value) =>
      withGaps(words, value.trim()) === undefined
        ? vscode.l10n.t('The selected text doesn’t contain these words.')
        : undefined,
  });
  const front = gap === undefined ? undefined : withGaps(words, gap.trim());
  return front === undefined ? undefined : { kind: 'cloze', front, back: '' };
}

/** Asks for a deck and returns its title, which may be a new one. */
async function askForDeck(notebook: NotebookClient): Promise<string | undefined> {
  const decks = await notebook.call('decks', clock());
  const own = vscode.l10n.t('My Cards');
  if (decks.length === 0) return own;
  const newDeck = { label: vscode.l10n.t('New Deck…'), title: undefined };
  const items = decks.map(({ title }) => ({ label: literalText(title), title }));
  const chosen = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { readonly title: string | undefined }
  >([...items, newDeck], {
    title: vscode.l10n.t('Create Card'),
    placeHolder: vscode.l10n.t('Select a deck'),
  });
  if (chosen === undefined || chosen.title !== undefined) return chosen?.title;
  const typed = await vscode.window.showInputBox({ title: vscode.l10n.t('New Deck'), value: own });
  return typed?.trim() === '' ? own : typed?.trim();
}

/** Returns the citation for selected text of an answer; the last answer that contains the text counts. */
function citationOfAnswer(turns: readonly Turn[], words: string): Citation | undefined {
  const citedLetters = letters(withoutVerdictMarks(words));
  if (citedLetters === '') return undefined;
  const isSelected = (text: string): boolean => {
    const textLetters = letters(text);
    return textLetters !== '' && (textLetters.includes(citedLetters) || citedLetters.includes(textLetters));
  };
  for (const { answer } of turns.toReversed()) {
    if (answer === undefined) continue;
    const { citations } = answer;
    if (answer.kind !== 'written') {
      const cited = citations.find(({ quote }) => isSelected(quote));
      if (cited !== undefined) return cited;
      continue;
    }
    const { text, statements } = answer;
    const statement = statements.find(
      (candidate) => candidate.citations.length > 0 && isSelected(text.slice(candidate.start, candidate.end)),
    );
    const cited = citations[statement?.citations[0] ?? -1];
    if (cited !== undefined) return cited;
  }
  return undefined;
}

/** Returns only the letters and digits, because the displayed text lacks the marks of the written one. */
function letters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
