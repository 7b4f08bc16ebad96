import type { SearchLine } from '../indexing/search/search-api.ts';
import type { ResearchLimits } from '../notebook/research.ts';
import type { EmbeddingModel, PassageSettings } from '../notebook/settings.ts';

/** Role of a member in a team, or in one of its notebooks. */
export type TeamRole = 'reader' | 'author' | 'manager';

/** A notebook of a team, and what who asks may in it. */
export interface TeamNotebook {
  readonly id: string;
  readonly name: string;
  readonly role: TeamRole;
}

/** A team as one of its members sees it. */
export interface TeamEntry {
  readonly id: string;
  /** Host, database, and user, without a secret. */
  readonly place: string;
  readonly role: TeamRole;
  readonly notebooks: readonly TeamNotebook[];
}

/** A member of a team. */
export interface TeamMember {
  readonly name: string;
  readonly role: TeamRole;
  /** Milliseconds since 1970; undefined where they never connected. */
  readonly seenAt: number | undefined;
}

/** Right that a member has in one notebook. 'none' denies access, whatever the notebook grants to everyone. */
export type OwnRight = TeamRole | 'none';

/** Rights of one member in a notebook. */
export interface MemberRight {
  readonly name: string;
  /** A reader of the team can only view any notebook, and a manager of the team manages each of them. */
  readonly inTeam: TeamRole;
  /** Undefined where they have everybody's right. */
  readonly own: OwnRight | undefined;
  /** Effective role; undefined for no access. */
  readonly may: TeamRole | undefined;
  /** `true` for the member who asks. */
  readonly isSelf: boolean;
}

/** Rights of all members in a team notebook. */
export interface NotebookRights {
  readonly name: string;
  /** Role of members without a right of their own; undefined for no access. */
  readonly everybody: 'reader' | 'author' | undefined;
  readonly members: readonly MemberRight[];
}

/** A notebook that was removed from the team and can be brought back. */
export interface RemovedNotebook {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
}

/** State of the sync between a notebook on this machine and the team notebook. */
export type TeamState =
  | { readonly kind: 'connecting' }
  /** `waiting` counts changes that are yet to be sent. */
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
  /** The line is gone; it is tried again. */
  | { readonly kind: 'offline'; readonly reason: string; readonly waiting: number }
  /** Nothing happens before somebody does something about it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly waiting: number };

/** A notebook on this machine that follows one of a team. */
export interface Following {
  readonly connection: string;
  /** The folder on disk. */
  readonly directory: string;
  /** The folders, as URIs, that files are named by their paths in. */
  readonly roots: readonly string[];
  readonly passages: PassageSettings;
  /** Endpoint model that embeds the passages; undefined if there is none. */
  readonly embeddings: EmbeddingModel | undefined;
  /** Limits on this machine for research projects of other members. */
  readonly limits: ResearchLimits;
}

/** A notebook in a team, and how that is connected to. */
interface InTeam {
  readonly connection: string;
  readonly notebookId: string;
}

/**
 * Requests to the process that connects to team databases. Its errors and reports never contain a connection string.
 */
export interface TeamApi {
  /** Looks at a team. */
  readonly team: (params: { readonly connection: string }) => TeamEntry;
  /** Makes a team's schema in a database, or brings it up to date. */
  readonly setUp: (params: { readonly connection: string }) => TeamEntry;
  /** Makes somebody a member; returns their connection string, where a login was made for them. */
  readonly addMember: (params: {
    readonly connection: string;
    readonly name: string;
    readonly role: TeamRole;
  }) => string | undefined;
  /** The members that the team has. */
  readonly members: (params: { readonly connection: string }) => readonly TeamMember[];
  readonly removeMember: (params: { readonly connection: string; readonly name: string }) => void;
  /**
   * Makes a notebook in a team and what follows it in an empty folder, with all that another folder's notebook holds but
   * its conversations.
   */
  readonly share: (params: {
    readonly connection: string;
    readonly from: string;
    readonly to: string;
    readonly name: string;
    readonly notebookId: string;
    readonly everybody: 'reader' | 'author' | undefined;
  }) => void;
  /** Makes what follows a team's notebook in an empty folder. */
  readonly join: (params: {
    readonly teamId: string;
    readonly notebookId: string;
    readonly to: string;
  }) => void;
  /** Returns the rights in a notebook. Every member who can view it can see them. */
  readonly rights: (params: InTeam) => NotebookRights;
  /** Gives a member a right of their own, or with undefined everybody's. */
  readonly setRight: (
    params: InTeam & { readonly member: string; readonly right: OwnRight | undefined },
  ) => void;
  /** Says what members may who have no right of their own. */
  readonly setEverybody: (params: InTeam & { readonly right: 'reader' | 'author' | undefined }) => void;
  /** Renames a notebook for the team. Machines that sync it use the new name. */
  readonly renameNotebook: (params: InTeam & { readonly name: string }) => void;
  /** Deletes a notebook for the whole team. It can be restored for thirty days. */
  readonly removeNotebook: (params: InTeam) => void;
  /** The notebooks that who asks may bring back, the last removed first. */
  readonly removedNotebooks: (params: { readonly connection: string }) => readonly RemovedNotebook[];
  /** Returns whether it could be brought back. */
  readonly restoreNotebook: (params: InTeam) => boolean;
  /** Returns the number of documents that are only in the team database, as of the last sync. */
  readonly countElsewhere: (params: { readonly directory: string }) => number;
  /**
   * Downloads the documents that this machine doesn't store into a copy of the notebook. If it fails or is canceled,
   * the copy keeps what has arrived.
   */
  readonly completeCopy: (
    params: InTeam & {
      /** The folder of the notebook that was copied, and of the copy, which follows no team. */
      readonly from: string;
      readonly to: string;
      readonly roots: readonly string[];
      readonly passages: PassageSettings;
    },
    report: (progress: { readonly done: number; readonly total: number }) => void,
  ) => void;
  /** The sources that were removed in the last thirty days. */
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
  readonly bring: (params: {
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
  /** Those that are shared. */
  readonly conversations: number;
  readonly bytes: number;
  readonly changedAt: number | undefined;
}

/** A source that was removed and can be brought back. */
export interface RemovedSource {
  readonly id: string;
  readonly title: string;
  readonly removedBy: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
}
