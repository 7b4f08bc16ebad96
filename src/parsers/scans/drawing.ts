import type { OPS, PDFPageProxy } from 'pdfjs-dist';
import { multiply, type Matrix } from '../pdf/frame.ts';
import { makeCoverage, intersection, isEmpty, type Box, type Mask } from './coverage.ts';
import { luminance, placedImage, type UnpackedImage } from './images.ts';
import { filledEdges, strokedEdges, type PackedPath } from './outlines.ts';
import {
  blends,
  boxOfSurface,
  paint,
  makeSurface,
  valueAt,
  type Blend,
  type GrayPicture,
} from './surface.ts';

const MAX_SAVES = 5000;
const DEEPEST_GLYPHS = 4;
/** Maximum size of all masks in memory. */
const MAX_MASK_BYTES = 500_000_000;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Matrix of fonts that don't define a matrix. */
const FONT_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0];

export type Operation = keyof typeof OPS;

/** State of a page while it is drawn. */
export interface Drawing {
  readonly page: PDFPageProxy;
  /** Surface to draw on: the page or a soft mask. */
  surface: GrayPicture;
  state: State;
  readonly saved: State[];
  /** Number of saves beyond the maximum, which aren't stored. */
  unkept: number;
  readonly groups: Group[];
  /** Last drawn soft mask, which the next graphics state can apply. */
  softMask: Mask | undefined;
  /** Rule by which a path becomes the clip after it is painted. */
  pendingClip: 'nonzero' | 'evenOdd' | undefined;
  /** Edges of text that clips. */
  textEdges: number[] | undefined;
  readonly pageMatrix: Matrix;
  readonly names: ReadonlyMap<number, Operation>;
  /** Nesting depth of glyphs that are drawn by operations. */
  glyphDepth: number;
}

interface Group {
  /** Previous surface, if the group is a soft mask. */
  readonly below: GrayPicture | undefined;
}

interface State {
  matrix: Matrix;
  clip: Box;
  mask: Mask | undefined;
  /** Size of its mask and those of the states before it, in bytes. */
  maskBytes: number;
  softMask: Mask | undefined;
  /** Grays from 0 to 255. If undefined, nothing is painted. */
  fill: number | undefined;
  stroke: number | undefined;
  fillAlpha: number;
  strokeAlpha: number;
  /** Combined alpha of all surrounding groups. */
  groupAlpha: number;
  blend: Blend | undefined;
  /** `true` if everything is white, because only the alpha of a soft mask counts. */
  isAlphaOnly: boolean;
  lineWidth: number;
  isProjecting: boolean;
  font: Font | undefined;
  fontSize: number;
  fontDirection: 1 | -1;
  textMatrix: Matrix;
  x: number;
  y: number;
  lineX: number;
  lineY: number;
  leading: number;
  rise: number;
  letterSpacing: number;
  wordSpacing: number;
  stretch: number;
  renderingMode: number;
}

/** Font as loaded by pdf.js. */
interface Font {
  readonly loadedName: string;
  readonly isType3Font: boolean;
  readonly vertical: boolean;
  readonly fontMatrix?: Matrix;
  readonly defaultVMetrics?: readonly [number, number, number];
  readonly charProcOperatorList?: Readonly<
    Record<string, { readonly fnArray: readonly number[]; readonly argsArray: readonly unknown[] }>
  >;
}

interface Glyph {
  readonly fontChar: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly isInFont: boolean;
  readonly vmetric?: readonly [number, number, number];
  readonly accent?: {
    readonly fontChar: string;
    readonly offset: { readonly x: number; readonly y: number };
  };
  readonly operatorListId?: string;
}

/**
 * Returns the state for drawing a page onto a surface, before the first operation. `pageMatrix` maps points to pixels.
 */
export function newDrawing(
  page: PDFPageProxy,
  surface: GrayPicture,
  pageMatrix: Matrix,
  names: ReadonlyMap<number, Operation>,
): Drawing {
  return {
    page,
    surface,
    state: firstState(surface, pageMatrix),
    saved: [],
    unkept: 0,
    groups: [],
    softMask: undefined,
    pendingClip: undefined,
    textEdges: undefined,
    pageMatrix,
    names,
    glyphDepth: 0,
  };
}

function firstState(surface: GrayPicture, matrix: Matrix): State {
  return {
    matrix,
    clip: boxOfSurface(surface),
    mask: undefined,
    maskBytes: 0,
    softMask: undefined,
    fill: 0,
    stroke: 0,
    fillAlpha: 1,
    strokeAlpha: 1,
    groupAlpha: 1,
    blend: undefined,
    isAlphaOnly: false,
    lineWidth: 1,
    isProjecting: false,
    font: undefined,
    fontSize: 0,
    fontDirection: 1,
    textMatrix: IDENTITY,
    x: 0,
    y: 0,
    lineX: 0,
    lineY: 0,
    leading: 0,
    rise: 0,
    letterSpacing: 0,
    wordSpacing: 0,
    stretch: 1,
    renderingMode: 0,
  };
}

/** Performs one operation of pdf.js's list. */
export function perform(drawing: Drawing, operation: Operation, args: readonly unknown[]): void {
  const performer = performers[operation] as
    | ((drawing: Drawing, ...args: readonly unknown[]) => void)
    | undefined;
  performer?.(drawing, ...args);
}

type Performer = (drawing: Drawing, ...args: never[]) => void;

/**
 * Functions that perform operations. A missing operation has no visible effect in gray, or pdf.js lists it as others.
 */
const performers: Partial<Record<Operation, Performer>> = {
  save,
  restore,
  transform: (drawing, ...matrix: [...Matrix]) => transform(drawing, matrix),
  setLineWidth: ({ state }, width: number) => (state.lineWidth = width),
  setLineCap: ({ state }, cap: number) => (state.isProjecting = cap > 0),
  setGState: (drawing, entries: readonly (readonly [string, unknown])[]) => {
    for (const [key, value] of entries) setGraphicsState(drawing, key, value);
  },
  setFillRGBColor: ({ state }, colour: string) => (state.fill = toGray(colour)),
  setStrokeRGBColor: ({ state }, colour: string) => (state.stroke = toGray(colour)),
  setFillTransparent: ({ state }) => (state.fill = undefined),
  setStrokeTransparent: ({ state }) => (state.stroke = undefined),
  setFillColorN: (drawing, ...pattern: unknown[]) => (drawing.state.fill = grayOfPattern(drawing, pattern)),
  setStrokeColorN: (drawing, ...pattern: unknown[]) =>
    (drawing.state.stroke = grayOfPattern(drawing, pattern)),
  clip: (drawing) => (drawing.pendingClip = 'nonzero'),
  eoClip: (drawing) => (drawing.pendingClip = 'evenOdd'),
  constructPath: (drawing, painting: number, [path]: readonly [PackedPath | null]) =>
    paintPath(drawing, drawing.names.get(painting), path ?? []),
  shadingFill: (drawing, id: string) => {
    const { state } = drawing;
    const grey = grayOfPattern(drawing, ['Shading', id]);
    if (grey !== undefined) paintShape(drawing, rectangle(state.clip), grey, state.fillAlpha);
  },
  paintFormXObjectBegin: (drawing, matrix: Matrix | null, box: readonly number[] | null) => {
    save(drawing);
    if (matrix) transform(drawing, matrix);
    if (box) clipRectangle(drawing, box);
  },
  paintFormXObjectEnd: restore,
  beginGroup,
  endGroup,
  beginAnnotation: (drawing, _id: string, box: readonly number[] | null, placing: Matrix, matrix: Matrix) => {
    drawing.saved.length = 0;
    drawing.unkept = 0;
    drawing.state = firstState(drawing.surface, drawing.pageMatrix);
    if (box) clipRectangle(drawing, box);
    transform(drawing, placing);
    transform(drawing, matrix);
  },
  paintImageXObject: (drawing, id: string) => paintImage(drawing, findObject(drawing, id)),
  paintInlineImageXObject: paintImage,
  paintImageMaskXObject: (drawing, mask: { readonly data: unknown }) =>
    paintImage(drawing, typeof mask.data === 'string' ? findObject(drawing, mask.data) : mask),
  paintSolidColorImageMask: (drawing) => paintPath(drawing, 'fill', UNIT_SQUARE),
  beginText: (drawing) => setTextMatrix(drawing, IDENTITY),
  endText: (drawing) => {
    if (drawing.textEdges) clipEdges(drawing, drawing.textEdges, false);
    drawing.textEdges = undefined;
  },
  setTextMatrix,
  moveText,
  setLeadingMoveText: (drawing, x: number, y: number) => {
    drawing.state.leading = y;
    moveText(drawing, x, y);
  },
  nextLine: (drawing) => moveText(drawing, 0, drawing.state.leading),
  setLeading: ({ state }, leading: number) => (state.leading = -leading),
  setTextRise: ({ state }, rise: number) => (state.rise = rise),
  setCharSpacing: ({ state }, spacing: number) => (state.letterSpacing = spacing),
  setWordSpacing: ({ state }, spacing: number) => (state.wordSpacing = spacing),
  setHScale: ({ state }, percent: number) => (state.stretch = percent / 100),
  setTextRenderingMode: ({ state }, mode: number) => (state.renderingMode = mode),
  setFont,
  showText,
  setCharWidthAndBounds: (drawing, _x: number, _y: number, ...box: readonly number[]) =>
    clipRectangle(drawing, box),
};

/** Unit square of an image as a packed path of pdf.js. */
const UNIT_SQUARE = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 4];

function save(drawing: Drawing): void {
  if (drawing.saved.length < MAX_SAVES) drawing.saved.push({ ...drawing.state });
  else drawing.unkept++;
}

function restore(drawing: Drawing): void {
  drawing.pendingClip = undefined;
  if (drawing.unkept > 0) drawing.unkept--;
  else drawing.state = drawing.saved.pop() ?? drawing.state;
}

function transform({ state }: Drawing, matrix: Matrix): void {
  state.matrix = multiply(state.matrix, matrix);
}

function setGraphicsState(drawing: Drawing, key: string, value: unknown): void {
  const { state } = drawing;
  if (key === 'LW' && typeof value === 'number') state.lineWidth = value;
  if (key === 'LC' && typeof value === 'number') state.isProjecting = value > 0;
  if (key === 'ca' && typeof value === 'number') state.fillAlpha = value;
  if (key === 'CA' && typeof value === 'number') state.strokeAlpha = value;
  if (key === 'BM' && typeof value === 'string') state.blend = blends[value];
  if (key === 'Font' && Array.isArray(value)) setFont(drawing, String(value[0]), Number(value[1]));
  if (key === 'SMask') {
    state.softMask = value ? drawing.softMask : undefined;
    drawing.softMask = undefined;
  }
}

/** Converts a color in the form `#rrggbb`. */
function toGray(colour: string): number {
  const value = Number.parseInt(colour.slice(1), 16);
  return luminance((value >> 16) & 255, (value >> 8) & 255, value & 255);
}

/**
 * Returns the average of a shading's colors, or a medium gray for a tiling pattern, whose color is unknown until drawn.
 */
function grayOfPattern(drawing: Drawing, [kind, id]: readonly unknown[]): number | undefined {
  if (kind !== 'Shading') return 128;
  const shading = findObject(drawing, String(id));
  const stops: unknown = Array.isArray(shading) && shading[0] === 'RadialAxial' ? shading[3] : undefined;
  if (!Array.isArray(stops) || stops.length === 0) return undefined;
  const greys = stops.map(([, colour]: readonly [number, string]) => toGray(colour));
  return greys.reduce((sum, grey) => sum + grey, 0) / greys.length;
}

function findObject({ page }: Drawing, id: string): unknown {
  const objects = objectPool(page, id);
  return objects.has(id) ? objects.get(id) : undefined;
}

/** Returns the pool in which pdf.js stores an object of a page. */
export function objectPool(page: PDFPageProxy, id: string): PDFPageProxy['objs'] {
  return id.startsWith('g_') ? page.commonObjs : page.objs;
}

function paintPath(drawing: Drawing, painting: Operation | undefined, path: PackedPath): void {
  const { state } = drawing;
  const isEvenOdd = painting === 'eoFill' || painting === 'eoFillStroke' || painting === 'closeEOFillStroke';
  const isFilled =
    isEvenOdd ||
    painting === 'fill' ||
    painting === 'fillStroke' ||
    painting === 'closeFillStroke' ||
    painting === 'rawFillPath';
  const isStroked =
    painting === 'stroke' ||
    painting === 'closeStroke' ||
    painting === 'fillStroke' ||
    painting === 'eoFillStroke' ||
    painting === 'closeFillStroke' ||
    painting === 'closeEOFillStroke';
  const edges = isFilled || drawing.pendingClip ? filledEdges(path, state.matrix) : [];
  if (isFilled) paintEdges(drawing, edges, isEvenOdd, state.fill, state.fillAlpha);
  if (isStroked)
    paintEdges(
      drawing,
      strokedEdges(path, state.matrix, { width: state.lineWidth, isProjecting: state.isProjecting }),
      false,
      state.stroke,
      state.strokeAlpha,
    );
  if (drawing.pendingClip) clipEdges(drawing, edges, drawing.pendingClip === 'evenOdd');
  drawing.pendingClip = undefined;
}

function paintEdges(
  drawing: Drawing,
  edges: readonly number[],
  isEvenOdd: boolean,
  grey: number | undefined,
  alpha: number,
): void {
  const mask = grey === undefined ? undefined : makeCoverage(edges, isEvenOdd, drawing.state.clip);
  if (mask && grey !== undefined) paintShape(drawing, mask, grey, alpha);
}

function paintShape(drawing: Drawing, shape: Mask, ink: number | Uint8Array, alpha: number): void {
  const { surface, state } = drawing;
  const masks = [state.mask, state.softMask].filter((mask) => mask !== undefined);
  const clip = { box: state.clip, masks };
  const inkToPaint = state.isAlphaOnly ? 255 : ink;
  paint(
    surface,
    shape,
    clip,
    inkToPaint,
    alpha * state.groupAlpha,
    state.isAlphaOnly ? undefined : state.blend,
  );
}

function rectangle(box: Box): Mask {
  const size = isEmpty(box) ? 0 : (box.right - box.left) * (box.bottom - box.top);
  return { ...box, values: new Uint8Array(size).fill(255) };
}

function paintImage(drawing: Drawing, image: unknown): void {
  if (!isUnpacked(image)) return;
  const { state } = drawing;
  const placed = placedImage(image, state.matrix, state.clip);
  if (!placed) return;
  if (image.kind !== undefined) paintShape(drawing, placed, placed.grey, state.fillAlpha);
  else if (state.fill !== undefined) {
    // A mask is black where it lets the color through.
    const values = placed.values.map((value, at) => value - (placed.grey[at] ?? 0));
    paintShape(drawing, { ...placed, values }, state.fill, state.fillAlpha);
  }
}

function isUnpacked(image: unknown): image is UnpackedImage {
  return (
    image instanceof Object &&
    'data' in image &&
    (image.data instanceof Uint8Array || image.data instanceof Uint8ClampedArray)
  );
}

function clipRectangle(drawing: Drawing, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): void {
  const path = [0, x0, y0, 1, x1, y0, 1, x1, y1, 1, x0, y1, 4];
  clipEdges(drawing, filledEdges(path, drawing.state.matrix), false);
}

/** Clips further drawing to outlines: upright rectangles to the nearest whole pixel, others by a mask. */
function clipEdges({ state, saved }: Drawing, edges: readonly number[], isEvenOdd: boolean): void {
  const box = asRectangle(edges);
  if (box) {
    state.clip = intersection(state.clip, box);
    return;
  }
  const mask = makeCoverage(edges, isEvenOdd, state.clip);
  if (!mask) {
    state.clip = { left: 0, top: 0, right: 0, bottom: 0 };
    return;
  }
  state.clip = intersection(state.clip, mask);
  const maskBytes = (saved.at(-1)?.maskBytes ?? 0) + mask.values.length;
  if (maskBytes > MAX_MASK_BYTES) return;
  if (state.mask) multiplyMask(mask, state.mask);
  state.mask = mask;
  state.maskBytes = maskBytes;
}

function multiplyMask(mask: Mask, other: Mask): void {
  for (let y = mask.top, at = 0; y < mask.bottom; y++)
    for (let x = mask.left; x < mask.right; x++, at++)
      mask.values[at] = ((mask.values[at] ?? 0) * valueAt(other, x, y)) / 255 + 0.5;
}

/** Returns the box of edges that form one upright rectangle; else undefined. */
function asRectangle(edges: readonly number[]): Box | undefined {
  const xs = new Set<number>();
  const ys = new Set<number>();
  if (edges.length < 16 || edges.length > 20) return undefined;
  for (let i = 0; i + 3 < edges.length; i += 4) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = edges.slice(i, i + 4);
    if (Math.abs(x1 - x0) > 1e-3 && Math.abs(y1 - y0) > 1e-3) return undefined;
    for (const x of [x0, x1]) xs.add(Math.round(x * 1e3));
    for (const y of [y0, y1]) ys.add(Math.round(y * 1e3));
  }
  if (xs.size !== 2 || ys.size !== 2) return undefined;
  const [left, right] = [Math.min(...xs) / 1e3, Math.max(...xs) / 1e3];
  const [top, bottom] = [Math.min(...ys) / 1e3, Math.max(...ys) / 1e3];
  const box = {
    left: Math.round(left),
    top: Math.round(top),
    right: Math.round(right),
    bottom: Math.round(bottom),
  };
  // Keep rectangles thinner than a pixel visible.
  return {
    ...box,
    right: Math.max(box.right, Math.floor(left) + 1),
    bottom: Math.max(box.bottom, Math.floor(top) + 1),
  };
}

interface GroupArgs {
  readonly matrix?: Matrix | null;
  readonly bbox?: readonly number[] | null;
  readonly smask?: {
    readonly subtype: string;
    readonly backdrop?: string | null;
    readonly transferMap?: Uint8Array;
  } | null;
}

/** Begins a group. Its parts are drawn separately; a soft mask gets a surface of its own. */
function beginGroup(drawing: Drawing, { matrix, bbox, smask }: GroupArgs): void {
  save(drawing);
  const { state, surface } = drawing;
  if (smask) {
    drawing.groups.push({ below: surface });
    const isAlphaOnly = smask.subtype === 'Alpha';
    const backdrop = smask.backdrop && !isAlphaOnly ? toGray(smask.backdrop) : 0;
    drawing.surface = makeSurface(surface.width, surface.height, backdrop);
    state.clip = boxOfSurface(surface);
    state.mask = undefined;
    state.groupAlpha = 1;
    state.isAlphaOnly = isAlphaOnly;
  } else {
    drawing.groups.push({ below: undefined });
    state.groupAlpha *= state.fillAlpha;
    // Copy the mask, so that the settings inside the group can't remove it.
    if (state.softMask) {
      const mask = { ...state.softMask, values: state.softMask.values.slice() };
      if (state.mask) multiplyMask(mask, state.mask);
      state.mask = mask;
      state.maskBytes += mask.values.length;
    }
  }
  state.softMask = undefined;
  state.fillAlpha = 1;
  state.strokeAlpha = 1;
  // The form inside applies its matrix itself.
  const outer = state.matrix;
  if (matrix) transform(drawing, matrix);
  if (bbox) clipRectangle(drawing, bbox);
  state.matrix = outer;
}

function endGroup(drawing: Drawing, { smask }: GroupArgs): void {
  const group = drawing.groups.pop();
  if (smask && group?.below) {
    const { pixels } = drawing.surface;
    const { transferMap } = smask;
    drawing.softMask = {
      ...boxOfSurface(drawing.surface),
      values: transferMap ? pixels.map((value) => transferMap[value] ?? 0) : pixels,
    };
    drawing.surface = group.below;
  }
  restore(drawing);
}

function setTextMatrix({ state }: Drawing, matrix: Matrix): void {
  state.textMatrix = matrix;
  state.x = state.lineX = 0;
  state.y = state.lineY = 0;
}

function moveText({ state }: Drawing, x: number, y: number): void {
  state.x = state.lineX += x;
  state.y = state.lineY += y;
}

function setFont(drawing: Drawing, name: string, size: number): void {
  const { state, page } = drawing;
  state.font = page.commonObjs.has(name) ? (page.commonObjs.get(name) as Font) : undefined;
  state.fontSize = Math.abs(size);
  state.fontDirection = size < 0 ? -1 : 1;
}

function showText(drawing: Drawing, glyphs: readonly (Glyph | number)[]): void {
  const { state } = drawing;
  const { font, fontSize, fontDirection } = state;
  if (!font || fontSize === 0) return;
  const { vertical } = font;
  const stretch = state.stretch * fontDirection;
  const start = multiply(multiply(state.matrix, state.textMatrix), [
    stretch,
    0,
    0,
    fontDirection,
    state.x,
    state.y + state.rise,
  ]);
  const [unit] = font.fontMatrix ?? FONT_MATRIX;
  const perUnit = fontSize * unit;
  let along = 0;
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      along += ((vertical ? 1 : -1) * glyph * fontSize) / 1000;
      continue;
    }
    const spacing = ((glyph.isSpace ? state.wordSpacing : 0) + state.letterSpacing) * fontDirection;
    if (font.isType3Font) {
      drawGlyph(drawing, font, glyph, multiply(start, [fontSize, 0, 0, fontSize, along, 0]));
      along += glyph.width * perUnit + spacing;
    } else if (vertical) {
      const metrics = glyph.vmetric ?? font.defaultVMetrics ?? [-1000, glyph.width / 2, 880];
      const across = (glyph.vmetric ? metrics[1] : glyph.width / 2) * perUnit;
      paintGlyph(
        drawing,
        font,
        glyph,
        multiply(start, [1, 0, 0, 1, -across, -(along + metrics[2] * perUnit)]),
      );
      along += -metrics[0] * perUnit - spacing;
    } else {
      paintGlyph(drawing, font, glyph, multiply(start, [1, 0, 0, 1, along, 0]));
      along += glyph.width * perUnit + spacing;
    }
  }
  if (vertical) state.y -= along;
  else state.x += along * stretch;
}

/** Draws a glyph and its accent by outlines. The matrix has its origin at the glyph and the scale of the text. */
function paintGlyph(drawing: Drawing, font: Font, glyph: Glyph, place: Matrix): void {
  if (!glyph.isInFont) return;
  const { fontSize } = drawing.state;
  paintOutline(drawing, font, glyph.fontChar, multiply(place, [fontSize, 0, 0, fontSize, 0, 0]));
  if (!glyph.accent) return;
  const { fontChar, offset } = glyph.accent;
  const shift: Matrix = [fontSize, 0, 0, fontSize, fontSize * offset.x, fontSize * offset.y];
  paintOutline(drawing, font, fontChar, multiply(place, shift));
}

function paintOutline(drawing: Drawing, { loadedName }: Font, character: string, matrix: Matrix): void {
  const { state, page } = drawing;
  const id = `${loadedName}_path_${character}`;
  if (!page.commonObjs.has(id)) return;
  const { path } = (page.commonObjs.get(id) ?? {}) as { readonly path?: PackedPath };
  if (!path) return;
  const mode = state.renderingMode & 3;
  const edges = filledEdges(path, matrix);
  if (mode === 0 || mode === 2) paintEdges(drawing, edges, false, state.fill, state.fillAlpha);
  if (mode === 1 || mode === 2) {
    const scale = Math.hypot(matrix[0], matrix[1]) / Math.hypot(state.matrix[0], state.matrix[1]);
    const pen = { width: state.lineWidth / scale, isProjecting: false };
    paintEdges(drawing, strokedEdges(path, matrix, pen), false, state.stroke, state.strokeAlpha);
  }
  if (state.renderingMode & 4) for (const edge of edges) (drawing.textEdges ??= []).push(edge);
}

/** Draws a glyph of a Type 3 font by its own operations. */
function drawGlyph(drawing: Drawing, font: Font, glyph: Glyph, place: Matrix): void {
  const list = font.charProcOperatorList?.[glyph.operatorListId ?? ''];
  if (!list || drawing.state.renderingMode === 3 || drawing.glyphDepth >= DEEPEST_GLYPHS) return;
  save(drawing);
  drawing.glyphDepth++;
  drawing.state.matrix = multiply(place, font.fontMatrix ?? FONT_MATRIX);
  for (const [index, code] of list.fnArray.entries()) {
    const operation = drawing.names.get(code);
    if (operation !== undefined) perform(drawing, operation, (list.argsArray[index] ?? []) as unknown[]);
  }
  drawing.glyphDepth--;
  restore(drawing);
}
