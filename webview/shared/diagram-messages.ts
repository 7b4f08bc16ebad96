import * as v from 'valibot';

/** Message to the frame that draws diagrams. */
export interface DiagramOrder {
  readonly source: string;
  readonly isDark: boolean;
  readonly fontFamily: string;
  /** Nonce that allows our own styles under the page's policy. */
  readonly nonce: string;
}

/** Reply of the frame: a picture, or the problem that the library found. */
export const diagramResult = v.union([v.object({ svg: v.string() }), v.object({ problem: v.string() })]);

export type DiagramResult = Readonly<v.InferOutput<typeof diagramResult>>;
