import type { SearchLine } from '../indexing/search/search-api.ts';
import type { ResearchLimits } from '../notebook/research.ts';
import type { EmbeddingModel, PassageSettings } from '../notebook/settings.ts';

/** What a member may in a team, and in one of its notebooks. */
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
  /** Where it is and who asks, without a secret. */
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

/** What a member was given in a notebook of their own; with 'none' they may nothing, whatever everybody may. */
export type OwnRight = TeamRole | 'none';

/** What one member may in a notebook. */
export interface MemberRight {
  readonly name: string;
  /** Who only reads in the team reads at most, and who manages the team manages each notebook. */
  readonly inTeam: TeamRole;
  /** Undefined where they have everybody's right. */
  readonly own: OwnRight | undefined;
  /** What comes of it; undefined for nothing. */
  readonly may: TeamRole | undefined;
  /** Whether it is who asks. */
  readonly isSelf: boolean;
}

/** Who may what in a team's notebook. */
export interface NotebookRights {
  readonly name: string;
  /** What members may who have no right of their own; undefined for nothing. */
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

/** How it stands between a notebook on this machine and the team's. */
export type TeamState =
  | { readonly kind: 'connecting' }
  /** `waiting` counts changes that are yet to be sent. */
  | { readonly kind: 'taking-in'; readonly done: number; readonly total: number }
  /**
   * `conflicts` are the titles of notes in which what two changed stands side by side; `holdsAll` is false where the team
   * may have more than a machine holds. `name` is what the team calls the notebook, where this window was told.
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
  /** The model of an endpoint that the passages are embedded with; undefined where there is none. */
  readonly embeddings: EmbeddingModel | undefined;
  /** What researches of other members may take on this machine. */
  readonly limits: ResearchLimits;
}

/** A notebook in a team, and how that is connected to. */
interface InTeam {
  readonly connection: string;
  readonly notebookId: string;
}

/** What the process is asked that talks to teams' databases. Nothing that it throws or tells holds a connection string. */
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
  /** Who may what in a notebook, which all are told who may read it. */
  readonly rights: (params: InTeam) => NotebookRights;
  /** Gives a member a right of their own, or with undefined everybody's. */
  readonly setRight: (
    params: InTeam & { readonly member: string; readonly right: OwnRight | undefined },
  ) => void;
  /** Says what members may who have no right of their own. */
  readonly setEverybody: (params: InTeam & { readonly right: 'reader' | 'author' | undefined }) => void;
  /** Gives a notebook another name in the team; machines that follow it take that over. */
  readonly renameNotebook: (params: InTeam & { readonly name: string }) => void;
  /** Takes a notebook from the whole team; it can be brought back for thirty days. */
  readonly removeNotebook: (params: InTeam) => void;
  /** The notebooks that who asks may bring back, the last removed first. */
  readonly removedNotebooks: (params: { readonly connection: string }) => readonly RemovedNotebook[];
  /** Returns whether it could be brought back. */
  readonly restoreNotebook: (params: InTeam) => boolean;
  /** How many documents of a team's notebook are not on this machine, as the team's database said last. */
  readonly countElsewhere: (params: { readonly directory: string }) => number;
  /**
   * Takes the documents that a machine has no room for into a copy of a notebook that follows a team's. What has come
   * stays in the copy where it does not come to the end.
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
   * Takes in the documents that come nearest to searches, where a team's notebook is larger than what a machine holds.
   * Returns how many were taken in.
   */
  readonly bring: (params: {
    readonly connection: string;
    readonly directory: string;
    readonly searches: readonly SearchLine[];
    readonly roots: readonly string[];
    readonly passages: PassageSettings;
  }) => number;
  /**
   * Takes a step of a research for some seconds, or goes on holding it with the same token, a UUID. Returns undefined where it is
   * had then, else whose it is.
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
  /** What the notebooks hold that the user manages. */
  readonly sizes: (params: { readonly connection: string }) => readonly NotebookSize[];
  /** Takes in what others change and sends what is changed here, until the signal ends it. */
  readonly follow: (params: Following, report: (state: TeamState) => void) => void;
}

/** How much a team's notebook holds: nothing of what is in it. Times are milliseconds since 1970. */
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
