import { Emitter } from '../../src/platform/emitter.ts';
import type { Log } from '../../src/platform/log.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { ConversationsApi } from '../../src/features/chat/store/conversations-api.ts';
import { Conversations } from '../../src/features/chat/store/conversations.ts';
import type { Params } from '../../src/core/rpc/rpc.ts';
import { openStatements } from './opened-databases.ts';

/** A notebook's conversations as the editor uses them, in their own database. */
export interface KeptConversations {
  readonly notebook: Pick<NotebookClient, 'call' | 'onDidSwitch'>;
  readonly conversations: Conversations;
  /** Called before each call is answered, which waits for it. */
  before: (method: string) => Promise<void>;
}

type Calls = {
  readonly [M in keyof ConversationsApi]?: (
    params: Params<ConversationsApi[M]>,
  ) => ReturnType<ConversationsApi[M]>;
};

/** Opens the conversations of a notebook without sources. */
export async function keepConversations(): Promise<KeptConversations> {
  const conversations = new Conversations((await openStatements()).sql);
  const answers: Calls & { readonly sources: () => readonly never[] } = {
    sources: () => [],
    conversation: ({ id }) =>
      (id === undefined ? undefined : conversations.open(id)) ?? conversations.openNewest(),
    earlierTurns: ({ conversationId, before }) => conversations.turns(conversationId, before),
    newConversation: () => ({ id: conversations.begin() }),
    putTurn: ({ conversationId, turn }) => {
      conversations.putTurn(conversationId, turn);
      return null;
    },
    removeTurn: ({ turnId }) => conversations.removeTurn(turnId),
    restoreTurn: ({ conversationId, turn, versions }) => {
      conversations.restoreTurn(conversationId, turn, versions);
      return null;
    },
    askAgain: ({ turn }) => conversations.askAgain(turn),
    showVersion: ({ turnId, position }) => conversations.showVersion(turnId, position),
    setDraft: ({ conversationId, draft }) => {
      conversations.setDraft(conversationId, draft);
      return null;
    },
  };
  const switched = new Emitter<void>();
  const stored: KeptConversations = {
    conversations,
    before: () => Promise.resolve(),
    notebook: {
      onDidSwitch: switched.event,
      call: (async (method: keyof typeof answers, params: never) => {
        await stored.before(method);
        const answer = answers[method];
        if (answer === undefined) throw new Error(`No ${method} here.`);
        return answer(params);
      }) as NotebookClient['call'],
    },
  };
  return stored;
}

/** Returns a log that collects its lines. */
export function lines(): Log & { readonly messages: string[] } {
  const logged: string[] = [];
  const logLine = (message: string | Error, ...details: unknown[]): void => {
    logged.push([message, ...details].map(String).join(' '));
  };
  return { messages: logged, warn: logLine, error: logLine };
}
