import type { WantedAnnotations } from '../../../notebook/annotation.ts';

/** What the index worker is asked of annotations of files that cannot hold them. */
export interface AnnotationsApi {
  readonly keptAnnotations: (params: { readonly uri: string }) => WantedAnnotations;
  /** The same without those that a team must not see: the text of a document goes to the team. */
  readonly sharedAnnotations: (params: { readonly uri: string }) => WantedAnnotations;
  /** Saves them in the place of those that were saved. Returns `true` if some are kept from the team that could be shared. */
  readonly keepAnnotations: (params: { readonly uri: string; readonly wanted: WantedAnnotations }) => boolean;
  /** Shares all annotations of a file with the team, those that follow included. */
  readonly shareAnnotations: (params: { readonly uri: string }) => void;
}
