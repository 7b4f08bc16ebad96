import * as v from 'valibot';

/** What the frame that draws diagrams is told. */
export interface DiagramOrder {
  readonly source: string;
  readonly isDark: boolean;
  readonly fontFamily: string;
  /** By which the page's policy knows styles of its own. */
  readonly nonce: string;
}

/** What it tells back: a picture, or what the library found wrong. */
export const diagramResult = v.union([v.object({ svg: v.string() }), v.object({ problem: v.string() })]);

export type DiagramResult = Readonly<v.InferOutput<typeof diagramResult>>;
