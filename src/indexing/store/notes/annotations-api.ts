import type { WantedAnnotations } from '../../../notebook/annotation.ts';

/** What the index worker is asked of annotations of files that cannot hold them. */
export interface AnnotationsApi {
  readonly keptAnnotations: (params: { readonly uri: string }) => WantedAnnotations;
  /** Keeps them in the place of those that were kept. */
  readonly keepAnnotations: (params: { readonly uri: string; readonly wanted: WantedAnnotations }) => void;
}
