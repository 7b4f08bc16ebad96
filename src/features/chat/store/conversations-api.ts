import type { Turn, TurnVersion } from '../../../core/domain/answer.ts';

/** Conversation with its last turns, oldest first. */
export interface StoredConversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** Number of turns before these. */
  readonly earlier: number;
  /** Question that the user has typed but not sent yet. */
  readonly draft: string;
}

/** List entry of a conversation. */
export interface ConversationEntry {
  readonly id: string;
  /** Title from the user, or the first question. */
  readonly title: string;
  readonly turns: number;
  /** Time of the last question, in milliseconds since 1970. */
  readonly askedAt: number;
  /** Name of the member who shares it, '' if the user does; undefined if it isn't shared. */
  readonly sharedBy: string | undefined;
}

/** Conversation API of the index worker. */
export interface ConversationsApi {
  /**
   * Returns a conversation. Without an ID, or if the conversation was deleted, returns the newest one, or a new one if
   * there is none.
   */
  readonly conversation: (params: { readonly id?: string | undefined }) => StoredConversation;
  /** Returns turns before the `before`th one of a conversation. */
  readonly earlierTurns: (params: { readonly conversationId: string; readonly before: number }) => {
    readonly turns: readonly Turn[];
    readonly earlier: number;
  };
  /** Returns all turns of a conversation, for an export. */
  readonly allTurns: (params: { readonly conversationId: string }) => readonly Turn[];
  /**
   * Returns conversations by their last question, the latest first; with `words`, those that contain them in a title,
   * question, or answer.
   */
  readonly conversations: (params: { readonly words: string }) => readonly ConversationEntry[];
  readonly renameConversation: (params: { readonly conversationId: string; readonly title: string }) => void;
  /** Shares a conversation with all members of the notebook's team, or stops sharing it. */
  readonly shareConversation: (params: {
    readonly conversationId: string;
    readonly isShared: boolean;
  }) => void;
  /** @throws NotebookError `forbidden` if another member shares it */
  readonly removeConversation: (params: { readonly conversationId: string }) => void;
  readonly setDraft: (params: { readonly conversationId: string; readonly draft: string }) => void;
  readonly newConversation: () => { readonly id: string };
  /** Deletes a turn with all its answers. Returns those that weren't shown, which `restoreTurn` needs. */
  readonly removeTurn: (params: { readonly turnId: string }) => readonly TurnVersion[];
  /** Saves the current answer of a turn. If another answer is shown by now, saves the one with the turn's version. */
  readonly putTurn: (params: { readonly conversationId: string; readonly turn: Turn }) => void;
  /** Saves a deleted turn again, with the answers that weren't shown. */
  readonly restoreTurn: (params: {
    readonly conversationId: string;
    readonly turn: Turn;
    readonly versions: readonly TurnVersion[];
  }) => void;
  /**
   * Saves a turn whose question is asked again. Its current answer becomes an earlier version, which replaces the
   * oldest one if there are too many. Returns the turn with its version.
   */
  readonly askAgain: (params: { readonly turn: Turn }) => Turn;
  /** Shows the answer at a position, from 1 on, instead of the current one; undefined if it doesn't exist. */
  readonly showVersion: (params: { readonly turnId: string; readonly position: number }) => Turn | undefined;
}
