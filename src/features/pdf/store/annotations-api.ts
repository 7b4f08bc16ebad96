import type { AnnotationsByKey } from '../../../core/domain/annotation.ts';

/** API of the index worker for annotations of files that can't store them. */
export interface AnnotationsApi {
  readonly storedAnnotations: (params: { readonly uri: string }) => AnnotationsByKey;
  /**
   * Returns the annotations that the team may see. A document's text goes to the team, but private annotations don't.
   */
  readonly sharedAnnotations: (params: { readonly uri: string }) => AnnotationsByKey;
  /** Replaces the saved annotations. Returns `true` if some aren't shared with the team but could be. */
  readonly keepAnnotations: (params: {
    readonly uri: string;
    readonly annotations: AnnotationsByKey;
  }) => boolean;
  /** Shares all annotations of a file with the team, including later ones. */
  readonly shareAnnotations: (params: { readonly uri: string }) => void;
}
