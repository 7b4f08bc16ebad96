import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyAnswerEvents, type AnswerEvent, type Turn } from '../../src/core/domain/answer.ts';
import { StateSender } from '../../src/core/rpc/shared-state.ts';
import { applyTurnUpdates, type TurnUpdate } from '../../src/features/chat/model/turn-updates.ts';
import type { PanelState } from '../../src/features/chat/protocol.ts';
import { applyUpdates, type ChatState, type Update } from '../../webview/chat/state.ts';

const ACTIONS = [
  'ask',
  'grow',
  'end',
  'amend',
  'spend',
  'remove',
  'model',
  'offer',
  'refresh',
  'reload',
] as const;

/** Returns data as a page receives it: as JSON, without undefined fields. */
function sent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Extension and page of a chat. Turns change in place, as in an open conversation. */
class Chat {
  readonly turns: Turn[] = [];
  readonly sender: StateSender<PanelState, TurnUpdate>;
  #model = 0;
  #offers = false;
  #asked = 0;
  /** Messages that the page gets with its next frame. */
  #messages: Update[] = [];
  #page: ChatState | undefined;
  /** For each change since the last reload, `true` if it was the whole state. */
  wholes: boolean[] = [];

  constructor(wait: <T>(value: T) => Promise<T>) {
    this.sender = new StateSender({
      read: () => wait(this.state()),
      send: (change) => {
        this.wholes.push('value' in change);
        this.#messages.push(sent({ kind: 'state', change }));
      },
      snapshot: (state) => ({
        ...state,
        turns: this.turns.map((turn) => ({ ...turn })),
        offersModel: this.#offers,
      }),
      applyUpdates: (state, updates) => ({ ...state, turns: applyTurnUpdates(state.turns, updates) }),
    });
  }

  state(): PanelState {
    return {
      turns: this.turns,
      earlier: 0,
      sources: { ready: 1, working: 0 },
      model: String(this.#model),
      offersModel: this.#offers,
      semanticSearchOffer: undefined,
      factCheckOffer: undefined,
      factCheckFailure: undefined,
      scope: { kind: 'notebook' },
      citationChanges: [],
    };
  }

  /** Returns the state on the page, after all messages. */
  shown(): PanelState | undefined {
    this.#page = applyUpdates(this.#page, this.#messages.splice(0));
    if (this.#page === undefined) return undefined;
    const { statuses: _, ...state } = this.#page;
    return state;
  }

  act(action: (typeof ACTIONS)[number]): void {
    const last = this.turns.at(-1);
    switch (action) {
      case 'ask': {
        const turn: Turn = {
          ...{ id: String(this.#asked++), question: 'Q?', askedAt: 0 },
          ...{ state: { kind: 'answering' }, answer: undefined },
        };
        this.turns.push(turn);
        this.#tell({ kind: 'turn', turn });
        break;
      }
      case 'grow':
        if (last?.state.kind !== 'answering') break;
        this.#change(last, { kind: 'status', text: 'Writing…' });
        this.#change(
          last,
          last.answer === undefined
            ? {
                kind: 'started',
                answer: { kind: 'written', model: 'm', text: '', statements: [], citations: [] },
              }
            : { kind: 'text', delta: 'One. ' },
        );
        break;
      case 'end': {
        if (last === undefined) break;
        const turn: Turn = { ...last, state: { kind: 'done', milliseconds: 1 } };
        this.turns.splice(-1, 1, turn);
        this.#tell({ kind: 'turn', turn });
        break;
      }
      case 'amend':
        if (this.turns[0] !== undefined) this.#change(this.turns[0], { kind: 'text', delta: 'More.' });
        break;
      case 'spend':
        if (last !== undefined)
          this.turns.splice(-1, 1, { ...last, usage: { input: 1, output: this.#asked, estimated: 0 } });
        void this.sender.send();
        break;
      case 'remove':
        this.turns.shift();
        void this.sender.send();
        break;
      case 'model':
        this.#model++;
        void this.sender.send();
        break;
      case 'offer':
        this.#offers = !this.#offers;
        this.sender.sendFields({ offersModel: this.#offers });
        break;
      case 'refresh':
        this.shown();
        void this.sender.send();
        break;
      case 'reload':
        this.#page = undefined;
        this.#messages = [];
        this.wholes = [];
        this.sender.restart();
        void this.sender.send();
    }
  }

  #change(turn: Turn, event: AnswerEvent): void {
    const changed = {
      ...turn,
      answer: applyAnswerEvents(this.turns.find(({ id }) => id === turn.id)?.answer, [event]),
    };
    this.turns.splice(
      this.turns.findIndex(({ id }) => id === turn.id),
      1,
      changed,
    );
    this.#tell({ kind: 'event', turnId: turn.id, event });
  }

  #tell(update: TurnUpdate): void {
    this.#messages.push(sent(update));
    this.sender.follow(update);
  }
}

describe('State on a chat page', () => {
  it('equals the state of the extension after any messages', async () => {
    const actions = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, sequence) => {
        const chat = new Chat((value) => scheduler.schedule(Promise.resolve(value)));
        const steps = ['reload' as const, ...sequence, 'refresh' as const].map(
          (action) => (): Promise<void> => {
            chat.act(action);
            return Promise.resolve();
          },
        );
        scheduler.scheduleSequence(steps);
        await scheduler.waitIdle();
        assert.deepEqual(sent(chat.shown()), sent(chat.state()));
        assert.deepEqual(
          chat.wholes,
          chat.wholes.map((_, index) => index === 0),
        );
      }),
    );
  });

  it('ignores changes and messages before the whole state', () => {
    const event: AnswerEvent = { kind: 'text', delta: 'One.' };
    const early: Update[] = [
      { kind: 'state', change: { fields: { model: { value: 'm' } } } },
      { kind: 'event', turnId: 't', event },
    ];
    assert.equal(applyUpdates(undefined, early), undefined);
  });
});
