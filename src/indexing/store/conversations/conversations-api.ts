import type { Turn } from '../../../notebook/answer.ts';

/** A conversation with its last turns, oldest first. */
export interface StoredConversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** How many turns come before these. */
  readonly earlier: number;
  /** What was typed and not asked yet. */
  readonly draft: string;
}

/** A conversation in a list. */
export interface ConversationEntry {
  readonly id: string;
  /** The user's title, or the first question. */
  readonly title: string;
  readonly turns: number;
  /** When something was last asked, in milliseconds since 1970. */
  readonly askedAt: number;
  /** Undefined of one that no team sees; by whom is '' of one that this member shares. */
  readonly sharedBy: string | undefined;
}

/** What the index worker is asked of a notebook's conversations. */
export interface ConversationsApi {
  /** A conversation; without an id, or where that was deleted, the newest, and a new one where there is none. */
  readonly conversation: (params: { readonly id?: string | undefined }) => StoredConversation;
  /** Turns before the `before`th of a conversation. */
  readonly earlierTurns: (params: { readonly conversationId: string; readonly before: number }) => {
    readonly turns: readonly Turn[];
    readonly earlier: number;
  };
  /** All turns of a conversation, for an export. */
  readonly allTurns: (params: { readonly conversationId: string }) => readonly Turn[];
  /** The last asked first; with `words` those that hold them in a title, question or answer. */
  readonly conversations: (params: { readonly words: string }) => readonly ConversationEntry[];
  readonly renameConversation: (params: { readonly conversationId: string; readonly title: string }) => void;
  /** Has all members of the notebook's team see a conversation, or nobody any more. */
  readonly shareConversation: (params: {
    readonly conversationId: string;
    readonly isShared: boolean;
  }) => void;
  /** @throws NotebookError `forbidden` of one that another member shares */
  readonly removeConversation: (params: { readonly conversationId: string }) => void;
  readonly setDraft: (params: { readonly conversationId: string; readonly draft: string }) => void;
  readonly newConversation: () => { readonly id: string };
  readonly removeTurn: (params: { readonly turnId: string }) => void;
  readonly putTurn: (params: { readonly conversationId: string; readonly turn: Turn }) => void;
}
