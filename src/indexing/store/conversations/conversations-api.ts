import type { Turn, TurnVersion } from '../../../notebook/answer.ts';

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
  /** Deletes a turn with all its answers. Resolves to those that were not shown, which `restoreTurn` needs. */
  readonly removeTurn: (params: { readonly turnId: string }) => readonly TurnVersion[];
  /** Saves the shown answer of a turn, or, if another one is shown meanwhile, the answer that the turn's version names. */
  readonly putTurn: (params: { readonly conversationId: string; readonly turn: Turn }) => void;
  /** Saves a deleted turn again, with the answers that were not shown. */
  readonly restoreTurn: (params: {
    readonly conversationId: string;
    readonly turn: Turn;
    readonly versions: readonly TurnVersion[];
  }) => void;
  /**
   * Saves a turn whose question is asked again; its answer so far becomes an earlier version, without which the oldest
   * one goes if there are too many. Resolves to the turn with its version.
   */
  readonly askAgain: (params: { readonly turn: Turn }) => Turn;
  /** Shows the answer at a position, from 1 on, instead of the shown one; undefined if there is none. */
  readonly showVersion: (params: { readonly turnId: string; readonly position: number }) => Turn | undefined;
}
