// Tests what a chat page receives from the extension: the whole conversation once, and then only what changed.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import type { AnswerEvent, Turn } from '../../src/core/domain/answer.ts';
import type { DocumentEntry, Source } from '../../src/core/domain/source.ts';
import { ChatPages } from '../../src/features/chat/editor/chat-pages.ts';
import { Conversation } from '../../src/features/chat/editor/conversation.ts';
import type { TurnInput } from '../../src/features/chat/editor/saved-turn.ts';
import type { HostApi, PanelApi, PanelState } from '../../src/features/chat/protocol.ts';
import { applyTurnUpdates } from '../../src/features/chat/model/turn-updates.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { packedWindow } from '../support/packed-extension.ts';
import { note } from '../support/suite-report.ts';
import { testCitation } from '../support/test-citation.ts';
import { TestPage, TestPanel } from '../support/test-panel.ts';
import { until } from '../support/until.ts';

type ChatTestPage = TestPage<PanelState, HostApi, PanelApi>;

const TURNS = 100;

/** Maximum size of the messages after one change, in UTF-16 code units of their JSON. */
const MAX_CHANGE_LENGTH = 2_000;

const TEXT = 'Tomatoes are watered every second morning with rainwater from the barrel behind the shed. ';

/** Returns an answered turn whose answer has ten statements with citations of a document. */
function makeTurn(index: number, { id: documentId, sourceId }: DocumentEntry): Turn {
  const text = TEXT.repeat(10);
  const starts = Array.from({ length: 10 }, (_, number) => number * TEXT.length);
  return {
    ...{ id: randomUUID(), question: `Question ${String(index)}?`, askedAt: Date.now() + index },
    state: { kind: 'done', milliseconds: 900 },
    answer: {
      ...{ kind: 'written', model: 'scripted-1', text },
      statements: starts.map((start, number) => ({
        ...{ start, end: start + TEXT.length, verdict: 'supported', citations: [number] },
      })),
      citations: starts.map((start, number) => {
        const passage = { start, end: start + TEXT.length };
        return testCitation({ number: number + 1, sourceId, documentId, quote: TEXT, passage });
      }),
    },
  };
}

suite('Chat page', () => {
  const log = vscode.window.createOutputChannel('Chat page', { log: true });
  const modelChanged = new vscode.EventEmitter<void>();
  const offerChanged = new vscode.EventEmitter<void>();
  let own: AddingNotebook;
  let conversation: Conversation;
  let pages: ChatPages;
  let model = 'scripted-1';
  let downloaded: string | undefined;
  /** Events that the next answer sends. */
  let events: readonly AnswerEvent[] = [];

  /** Shows a page, and keeps its turns current as the page of the extension does. */
  const show = async (panel: TestPanel): Promise<ChatTestPage> => {
    const page: ChatTestPage = new TestPage(panel, {
      turnChanged({ turn }) {
        apply([{ kind: 'turn', turn }]);
      },
      answerEvent({ turnId, event }) {
        apply([{ kind: 'event', turnId, event }]);
      },
      insertTargetChanged: () => undefined,
      suggestionsChanged: () => undefined,
    });
    const apply = (updates: Parameters<typeof applyTurnUpdates>[1]): void => {
      if (page.state !== undefined)
        page.state = { ...page.state, turns: applyTurnUpdates(page.state.turns, updates) };
    };
    await page.channel.remote.call('ready', {});
    return page;
  };
  const open = async (): Promise<TestPanel> => {
    const panel = new TestPanel();
    await pages.open({
      webview: panel.webview,
      onDidDispose: panel.onDidDispose as vscode.Event<void>,
      get visible() {
        return panel.visible;
      },
      onDidChange: panel.onDidChangeViewState,
      show: () => undefined,
      citationColumn: () => vscode.ViewColumn.One,
    });
    return panel;
  };
  /** Waits until a page shows the conversation, the number of sources, and the model. */
  const isCurrent = async (page: ChatTestPage): Promise<void> => {
    const current = async (): Promise<string> => {
      const sources = await own.notebook.call('sources', {});
      const ready = sources.filter(({ passages }) => passages > 0).length;
      return JSON.stringify([await conversation.turns(), ready, model, downloaded]);
    };
    const shown = (): string => {
      const { turns, sources, model: name, semanticSearchOffer: offer } = page.state ?? {};
      const state = offer?.state.kind === 'downloading' ? offer.state.downloaded : undefined;
      return JSON.stringify([turns, sources?.ready, name, state]);
    };
    await until(async () => {
      try {
        assert.deepEqual(JSON.parse(shown()), JSON.parse(await current()));
        return true;
      } catch {
        return false;
      }
    }, current);
  };
  /** Returns the length of all messages to a page for a change. */
  const lengthOf = async (page: ChatTestPage, change: () => unknown): Promise<number> => {
    const before = page.lengths.length;
    await change();
    await isCurrent(page);
    return page.lengths.slice(before).reduce((sum, length) => sum + length, 0);
  };
  const select = (name: string): void => {
    model = name;
    modelChanged.fire();
  };
  const addSource = (title: string): Promise<Source> => {
    const document = { ...readPlainText(TEXT.repeat(10), 'text/plain'), title };
    return own.notebook.call('addSource', {
      ...{ title, origin: { kind: 'text' } },
      document: { key: '', uri: '', hash: title, size: 1, modifiedAt: 1, document },
    });
  };

  suiteSetup(async () => {
    await packedWindow();
    own = openToAdd('chat-messages-', log);
    const { notebook } = own;
    const { id: sourceId } = await addSource('garden.md');
    const [document] = await notebook.call('documents', { sourceId });
    assert.ok(document);
    const { id: conversationId } = await notebook.call('newConversation', {});
    for (let index = 0; index < TURNS; index++)
      await notebook.call('putTurn', { conversationId, turn: makeTurn(index, document) });
    const never = new vscode.EventEmitter<never>().event;
    conversation = new Conversation({
      ...{ notebook, log },
      scopes: { scopeFor: () => Promise.resolve(undefined) },
      answer: ({ emit }: TurnInput) => {
        for (const event of events) emit(event);
        return Promise.resolve();
      },
    } as unknown as ConstructorParameters<typeof Conversation>[0]);
    while ((await conversation.countEarlier()) > 0) await conversation.showEarlier();
    pages = new ChatPages({
      ...{ notebook, conversation, extensionUri: vscode.Uri.file('/extension') },
      suggested: { onDidChange: never },
      models: {
        onDidChange: modelChanged.event,
        of: () => Promise.resolve({ current: { kind: 'endpoint', name: model }, isChosen: true }),
      },
      modelOffer: { onDidChange: never, isDeclined: true },
      semanticSearchOffer: {
        onDidChange: offerChanged.event,
        consider: () => Promise.resolve(),
        get shown() {
          if (downloaded === undefined) return undefined;
          const state = { kind: 'downloading', downloaded };
          return { turnId: 't', model: 'embedder', size: '30 MB', origin: 'models.example', state };
        },
      },
      factCheckConsent: { onDidChange: never, offer: undefined },
      checks: { onDidChangeFailure: never },
      scopes: { onDidChange: never, describeScope: () => Promise.resolve({ kind: 'notebook' }) },
      insertTarget: { onDidChange: never, name: undefined },
    } as unknown as ConstructorParameters<typeof ChatPages>[0]);
  });

  suiteTeardown(async () => {
    pages.dispose();
    conversation.dispose();
    await own.end();
  });

  test('receives only the part that changed', async () => {
    model = 'scripted-1';
    downloaded = undefined;
    const page = await show(await open());
    await isCurrent(page);
    assert.deepEqual(page.wholes, [true]);
    assert.equal(page.state?.turns.length, TURNS);
    const whole = JSON.stringify(page.state).length;
    const { id = '' } = page.state.turns[50] ?? {};
    events = [
      { kind: 'started', answer: { kind: 'written', model, text: '', statements: [], citations: [] } },
      { kind: 'text', delta: 'Every second morning.' },
    ];
    const lengths = {
      source: await lengthOf(page, () => addSource('pond.md')),
      model: await lengthOf(page, () => {
        select('scripted-2');
      }),
      download: await lengthOf(page, () => {
        downloaded = '12 MB';
        offerChanged.fire();
      }),
      usage: await lengthOf(page, async () => {
        await conversation.addUsage(id, { input: 1_000, output: 100, estimated: 0 });
        modelChanged.fire();
      }),
      answer: await lengthOf(page, () => conversation.ask('How often?')),
      removal: await lengthOf(page, () => conversation.removeTurn(id)),
    };
    note('lengths of messages to a chat page', { whole, ...lengths });
    for (const [change, length] of Object.entries(lengths))
      assert.ok(length > 0 && length < MAX_CHANGE_LENGTH, `${change}: ${String(length)} of ${String(whole)}`);
    assert.ok(page.wholes.slice(1).every((isWhole) => !isWhole));
  });

  test('receives the whole conversation again when it is shown again', async () => {
    const panel = await open();
    await isCurrent(await show(panel));
    panel.visible = false;
    panel.emit('viewState');
    await conversation.rate((await conversation.turns())[0]?.id ?? '', 'good');
    panel.visible = true;
    panel.emit('viewState');
    const page = await show(panel);
    await addSource('shed.md');
    await isCurrent(page);
    assert.deepEqual(
      page.wholes,
      page.wholes.map((_, index) => index === 0),
    );
  });

  test('receives an answer during a change of the sources', async () => {
    const [first, second] = [await show(await open()), await show(await open())];
    events = [
      { kind: 'started', answer: { kind: 'written', model, text: '', statements: [], citations: [] } },
      ...Array.from({ length: 50 }, () => ({ kind: 'text', delta: 'Every second morning. ' }) as const),
    ];
    const changes = [addSource('well.md'), conversation.ask('And in summer?')];
    select('scripted-3');
    await Promise.all(changes);
    await isCurrent(first);
    await isCurrent(second);
    assert.equal(first.state?.turns.at(-1)?.question, 'And in summer?');
    assert.deepEqual([first.wholes[0], ...first.wholes.slice(1).filter(Boolean)], [true]);
  });
});
