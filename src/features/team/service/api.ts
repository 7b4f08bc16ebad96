import type { SearchLine } from '../../../index/search/search-api.ts';
import type { FeatureLimits } from '../../types.ts';
import type { EmbeddingModel, PassageSettings } from '../../../core/domain/settings.ts';
import type { TeamRole } from '../model/roles.ts';

/** Team notebook with the current user's role in it. */
export interface TeamNotebook {
  readonly id: string;
  readonly name: string;
  readonly role: TeamRole;
}

/** Team as one of its members sees it. */
export interface TeamEntry {
  readonly id: string;
  /** Host, database, and user, without a secret. */
  readonly place: string;
  readonly role: TeamRole;
  readonly notebooks: readonly TeamNotebook[];
}

/** Member of a team. */
export interface TeamMember {
  readonly name: string;
  readonly role: TeamRole;
  /** Milliseconds since 1970; undefined if the member never connected. */
  readonly seenAt: number | undefined;
}

/** Right that a member has in one notebook. 'none' denies access, whatever the notebook grants to everyone. */
export type OwnRight = TeamRole | 'none';

/** Rights of one member in a notebook. */
export interface MemberRight {
  readonly name: string;
  /** A reader of the team can only view any notebook. A manager of the team manages all of them. */
  readonly inTeam: TeamRole;
  /** Undefined if the member has the rights of everybody. */
  readonly own: OwnRight | undefined;
  /** Effective role; undefined for no access. */
  readonly may: TeamRole | undefined;
  /** `true` for the current user. */
  readonly isSelf: boolean;
}

/** Rights of all members in a team notebook. */
export interface NotebookRights {
  readonly name: string;
  /** Role of members without a right of their own; undefined for no access. */
  readonly everybody: 'reader' | 'author' | undefined;
  readonly members: readonly MemberRight[];
}

/** Deleted team notebook that can be restored. */
export interface RemovedNotebook {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
}

/** State of the sync between a notebook on this machine and the team notebook. */
export type TeamState =
  | { readonly kind: 'connecting' }
  /** `waiting` counts the pending changes. */
  | { readonly kind: 'taking-in'; readonly done: number; readonly total: number }
  /**
   * `conflicts` are the titles of notes that contain both versions of a text. `holdsAll` is false if the team may have
   * more than this machine stores. `name` is the team's name for the notebook, if this window knows it.
   */
  | {
      readonly kind: 'up-to-date';
      readonly waiting: number;
      readonly conflicts: readonly string[];
      readonly holdsAll: boolean;
      readonly name: string | undefined;
    }
  /** The connection is lost. It is retried automatically. */
  | { readonly kind: 'offline'; readonly reason: string; readonly waiting: number }
  /** Sync stops until a user or an administrator fixes the cause. */
  | { readonly kind: 'refused'; readonly reason: string; readonly waiting: number };

/** Notebook on this machine that is synced with a team notebook. */
export interface Following {
  readonly connection: string;
  /** The folder on disk. */
  readonly directory: string;
  /** Folders, as URIs, that file paths are relative to. */
  readonly roots: readonly string[];
  readonly passages: PassageSettings;
  /** Endpoint model that embeds the passages; undefined if there is none. */
  readonly embeddings: EmbeddingModel | undefined;
  /** Limits on this machine for research projects of other members. */
  readonly limits: FeatureLimits;
}

/** Notebook in a team, with its connection. */
interface InTeam {
  readonly connection: string;
  readonly notebookId: string;
}

/**
 * Requests to the process that connects to team databases. Its errors and reports never contain a connection string.
 */
export interface TeamApi {
  /** Reads a team's name, members, and notebooks. */
  readonly team: (params: { readonly connection: string }) => TeamEntry;
  /** Creates a team's schema in a database, or upgrades it. */
  readonly setUp: (params: { readonly connection: string }) => TeamEntry;
  /** Adds a member. Returns their connection string if a login was created for them. */
  readonly addMember: (params: {
    readonly connection: string;
    readonly name: string;
    readonly role: TeamRole;
  }) => string | undefined;
  /** Returns the members of the team. */
  readonly members: (params: { readonly connection: string }) => readonly TeamMember[];
  /** Returns whether the server allowed to end the member's sessions. */
  readonly removeMember: (params: { readonly connection: string; readonly name: string }) => boolean;
  /**
   * Creates a team notebook from a local notebook without its conversations, and a synced copy in an empty folder.
   */
  readonly share: (params: {
    readonly connection: string;
    readonly from: string;
    readonly to: string;
    readonly name: string;
    readonly notebookId: string;
    readonly everybody: 'reader' | 'author' | undefined;
  }) => void;
  /** Creates a synced copy of a team notebook in an empty folder. */
  readonly join: (params: {
    readonly teamId: string;
    readonly notebookId: string;
    readonly to: string;
  }) => void;
  /** Returns the rights in a notebook. Every member who can view it can see them. */
  readonly rights: (params: InTeam) => NotebookRights;
  /** Sets a member's own right; undefined restores the right of everybody. */
  readonly setRight: (
    params: InTeam & { readonly member: string; readonly right: OwnRight | undefined },
  ) => void;
  /** Sets the right of members without a right of their own. */
  readonly setEverybody: (params: InTeam & { readonly right: 'reader' | 'author' | undefined }) => void;
  /** Renames a notebook for the team. Machines that sync it use the new name. */
  readonly renameNotebook: (params: InTeam & { readonly name: string }) => void;
  /** Deletes a notebook for the whole team. It can be restored for thirty days. */
  readonly removeNotebook: (params: InTeam) => void;
  /** Returns the notebooks that the user can restore, the last deleted first. */
  readonly removedNotebooks: (params: { readonly connection: string }) => readonly RemovedNotebook[];
  /** Restores a deleted notebook. Returns whether it still existed. */
  readonly restoreNotebook: (params: InTeam) => boolean;
  /** Returns the number of documents that are only in the team database, as of the last sync. */
  readonly countElsewhere: (params: { readonly directory: string }) => number;
  /**
   * Downloads the documents that this machine doesn't store into a copy of the notebook. If it fails or is canceled,
   * the copy keeps what has arrived.
   */
  readonly completeCopy: (
    params: InTeam & {
      /** Folder of the original notebook, and of the copy, which isn't synced. */
      readonly from: string;
      readonly to: string;
      readonly roots: readonly string[];
      readonly passages: PassageSettings;
    },
    report: (progress: { readonly done: number; readonly total: number }) => void,
  ) => void;
  /** Returns the sources that were removed in the last thirty days. */
  readonly removedSources: (params: {
    readonly connection: string;
    readonly notebookId: string;
  }) => readonly RemovedSource[];
  readonly restoreSource: (params: {
    readonly connection: string;
    readonly notebookId: string;
    readonly sourceId: string;
  }) => boolean;
  /**
   * Downloads the documents that match the searches best, for a notebook larger than this machine stores. Returns the
   * number of downloaded documents.
   */
  readonly prefetch: (params: {
    readonly connection: string;
    readonly directory: string;
    readonly searches: readonly SearchLine[];
    readonly roots: readonly string[];
    readonly passages: PassageSettings;
  }) => number;
  /**
   * Claims a step of a research project for some seconds, or extends the claim with the same token, a UUID. Returns
   * undefined if it succeeded, else the name of the holder.
   */
  readonly claimStep: (params: {
    readonly connection: string;
    readonly notebookId: string;
    readonly researchId: string;
    readonly stepId: string;
    readonly token: string;
    readonly seconds: number;
  }) => string | undefined;
  readonly releaseStep: (params: {
    readonly connection: string;
    readonly notebookId: string;
    readonly token: string;
  }) => void;
  /** Returns the sizes of the notebooks that the user manages. */
  readonly sizes: (params: { readonly connection: string }) => readonly NotebookSize[];
  /** Syncs a notebook in both directions until the signal aborts. */
  readonly follow: (params: Following, report: (state: TeamState) => void) => void;
}

/** Size of a team notebook, without any of its contents. Times are milliseconds since 1970. */
export interface NotebookSize {
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly removedAt: number | undefined;
  readonly sources: number;
  readonly documents: number;
  readonly notes: number;
  /** Number of shared conversations. */
  readonly conversations: number;
  readonly bytes: number;
  readonly changedAt: number | undefined;
}

/** Removed source that can be restored. */
export interface RemovedSource {
  readonly id: string;
  readonly title: string;
  readonly removedBy: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
}
