// Other programs that read, check, and write PDFs: Chrome's PDFium and qpdf, compiled to WebAssembly for every
// machine, and also native qpdf and poppler if they are installed.
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Quad } from '../../src/core/domain/annotation.ts';
import { root } from './paths.mjs';

/** Returns the output of another program for a file; undefined if this machine doesn't have the program. */
function toldBy(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

interface Qpdf {
  callMain(args: string[]): number;
  readonly FS: {
    readFile(path: string): Uint8Array;
    writeFile(path: string, bytes: Uint8Array): void;
  };
}

const require = createRequire(import.meta.url);
const messages: string[] = [];
let qpdf: Promise<Qpdf> | undefined;

/** qpdf writes its output to the console that exists when it starts. */
function startQpdf(): Promise<Qpdf> {
  const { log, error } = console;
  const hear = (line: unknown): void => {
    messages.push(String(line));
  };
  Object.assign(console, { log: hear, error: hear });
  try {
    return (require('@neslinesli93/qpdf-wasm') as () => Promise<Qpdf>)();
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Runs qpdf on a PDF, `in.pdf`, and returns its output and exit code, which is 0 without errors. */
async function runQpdf(
  bytes: Uint8Array,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string; readonly qpdf: Qpdf }> {
  const program = await (qpdf ??= startQpdf());
  program.FS.writeFile('in.pdf', bytes);
  messages.length = 0;
  // qpdf also sets the exit code of this process.
  const { exitCode } = process;
  const code = program.callMain([...args]);
  process.exitCode = exitCode;
  return { code, output: messages.join('\n'), qpdf: program };
}

/** Asserts that other programs find no errors in a PDF, and some words on its pages. */
export async function assertSound(bytes: Uint8Array, words: readonly string[]): Promise<void> {
  const assertShown = (text: string): void => {
    for (const some of words) assert.ok(text.includes(some), `“${some}” is not in: ${text}`);
  };
  const { code, output } = await runQpdf(bytes, ['--check', 'in.pdf']);
  assert.equal(code, 0, output);
  assert.match(output, /No syntax or stream encoding errors/);
  const { pages } = await readByPdfium(bytes);
  assertShown(pages.map(({ text }) => text).join('\n'));
  const folder = mkdtempSync(join(tmpdir(), 'sound-'));
  try {
    const path = join(folder, 'sound.pdf');
    writeFileSync(path, bytes);
    const checked = toldBy('qpdf', ['--check', path]);
    if (checked !== undefined) assert.match(checked, /No syntax or stream encoding errors/);
    const text = toldBy('pdftotext', ['-layout', path, '-']);
    if (text !== undefined) assertShown(text);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a PDF as qpdf rewrites it: with other object numbers, and objects packed in streams. */
export async function rewrittenByQpdf(bytes: Uint8Array): Promise<Uint8Array> {
  const run = await runQpdf(bytes, ['--object-streams=generate', 'in.pdf', 'out.pdf']);
  assert.equal(run.code, 0, run.output);
  return run.qpdf.FS.readFile('out.pdf');
}

/** PDFium's numbers for kinds of annotations. */
const subtypes = {
  note: 1,
  freeText: 3,
  line: 4,
  box: 5,
  circle: 6,
  highlight: 9,
  underline: 10,
  squiggly: 11,
  strikeout: 12,
  stamp: 13,
  ink: 15,
  popup: 16,
  widget: 20,
} as const;
const kinds = new Map<number, string>(Object.entries(subtypes).map(([kind, number]) => [number, kind]));

/** Annotation as PDFium reads it. */
interface OtherAnnotation {
  readonly kind: string;
  readonly remark: string;
  /** Color of the annotation; empty if it has none. */
  readonly colour: string;
  /** Left, bottom, right, and top, in points. */
  readonly rect: readonly [number, number, number, number];
  readonly quads: readonly Quad[];
  /** `true` if the annotation has its own appearance. */
  readonly hasLook: boolean;
}

interface OtherPage {
  /** Text of the page, including annotations and fields. */
  readonly text: string;
  readonly annotations: readonly OtherAnnotation[];
}

let started: Promise<WrappedPdfiumModule> | undefined;

async function startPdfium(): Promise<WrappedPdfiumModule> {
  const path = join(root, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm');
  const wasmBinary = Uint8Array.from(readFileSync(path)).buffer;
  const library = await init({ wasmBinary });
  library.PDFiumExt_Init();
  return library;
}

/** Memory of PDFium, which `free` releases. */
class Memory {
  readonly library: WrappedPdfiumModule;
  readonly #taken: number[] = [];

  constructor(library: WrappedPdfiumModule) {
    this.library = library;
  }

  take(length: number): number {
    const at = this.library.pdfium.wasmExports.malloc(Math.max(8, length));
    this.#taken.push(at);
    return at;
  }

  takeBytes(bytes: Uint8Array): number {
    const at = this.take(bytes.length);
    this.#heap().set(bytes, at);
    return at;
  }

  takeText(text: string): number {
    return this.takeBytes(Buffer.from(`${text}\0`, 'utf16le'));
  }

  takeFloats(values: readonly number[]): number {
    return this.takeBytes(new Uint8Array(Float32Array.from(values).buffer));
  }

  bytes(at: number, length: number): Uint8Array {
    return this.#heap().slice(at, at + length);
  }

  text(at: number, length: number): string {
    return Buffer.from(this.bytes(at, length)).toString('utf16le').replace(/\0+$/, '');
  }

  floats(at: number, count: number): number[] {
    return [...new Float32Array(this.bytes(at, 4 * count).buffer)];
  }

  numbers(at: number, count: number): number[] {
    return [...new Uint32Array(this.bytes(at, 4 * count).buffer)];
  }

  free(): void {
    for (const at of this.#taken) this.library.pdfium.wasmExports.free(at);
  }

  #heap(): Uint8Array {
    const { HEAPU8 } = this.library.pdfium as unknown as { readonly HEAPU8: Uint8Array };
    return HEAPU8;
  }
}

async function withPdf<T>(
  bytes: Uint8Array,
  action: (library: WrappedPdfiumModule, memory: Memory, file: number) => T,
): Promise<T> {
  const library = await (started ??= startPdfium());
  const memory = new Memory(library);
  const file = library.FPDF_LoadMemDocument(memory.takeBytes(bytes), bytes.length, '');
  assert.notEqual(file, 0, 'PDFium does not open it.');
  try {
    return action(library, memory, file);
  } finally {
    library.FPDF_CloseDocument(file);
    memory.free();
  }
}

/** Returns the contents of a PDF as PDFium reads them. */
export async function readByPdfium(bytes: Uint8Array): Promise<{ readonly pages: readonly OtherPage[] }> {
  return withPdf(bytes, (library, memory, file) => ({
    pages: Array.from({ length: library.FPDF_GetPageCount(file) }, (_, index): OtherPage => {
      const page = library.FPDF_LoadPage(file, index);
      try {
        const annotations = Array.from({ length: library.FPDFPage_GetAnnotCount(page) }, (_one, at) => {
          const annotation = library.FPDFPage_GetAnnot(page, at);
          try {
            return readAnnotation(library, memory, annotation);
          } finally {
            library.FPDFPage_CloseAnnot(annotation);
          }
        });
        library.FPDFPage_Flatten(page, 0);
        return { text: pageText(library, memory, file, index), annotations };
      } finally {
        library.FPDF_ClosePage(page);
      }
    }),
  }));
}

function pageText(library: WrappedPdfiumModule, memory: Memory, file: number, index: number): string {
  const page = library.FPDF_LoadPage(file, index);
  const words = library.FPDFText_LoadPage(page);
  const count = library.FPDFText_CountChars(words);
  const at = memory.take(2 * (count + 1));
  const written = library.FPDFText_GetText(words, 0, count, at);
  library.FPDFText_ClosePage(words);
  library.FPDF_ClosePage(page);
  return memory.text(at, 2 * written);
}

function readAnnotation(library: WrappedPdfiumModule, memory: Memory, annotation: number): OtherAnnotation {
  const length = library.FPDFAnnot_GetStringValue(annotation, 'Contents', 0, 0);
  const contents = memory.take(length);
  library.FPDFAnnot_GetStringValue(annotation, 'Contents', contents, length);
  const rect = memory.take(16);
  library.FPDFAnnot_GetRect(annotation, rect);
  const [left = 0, top = 0, right = 0, bottom = 0] = memory.floats(rect, 4);
  const parts = memory.take(16);
  const hasColor = library.EPDFAnnot_GetColor(annotation, 0, parts, parts + 4, parts + 8);
  const colour = memory
    .numbers(parts, 3)
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('');
  const subtype = library.FPDFAnnot_GetSubtype(annotation);
  return {
    kind: kinds.get(subtype) ?? String(subtype),
    remark: memory.text(contents, length),
    colour: hasColor ? `#${colour}` : '',
    rect: [left, bottom, right, top],
    quads: Array.from({ length: library.FPDFAnnot_CountAttachmentPoints(annotation) }, (_, index) => {
      const quad = memory.take(32);
      library.FPDFAnnot_GetAttachmentPoints(annotation, index, quad);
      return memory.floats(quad, 8) as unknown as Quad;
    }),
    hasLook: library.EPDFAnnot_HasAppearanceStream(annotation, 0),
  };
}

/** An annotation for PDFium to write. */
export interface WantedOfOther {
  readonly kind: keyof typeof subtypes;
  /** Page number, counted from one. */
  readonly page: number;
  readonly rect: readonly [number, number, number, number];
  readonly remark?: string;
  readonly colour?: readonly [number, number, number];
}

const MARKUP: readonly string[] = ['highlight', 'underline', 'squiggly', 'strikeout'];

/** Returns a PDF with annotations that PDFium creates and writes. */
export async function annotatedByPdfium(
  bytes: Uint8Array,
  wanted: readonly WantedOfOther[],
): Promise<Uint8Array> {
  return withPdf(bytes, (library, memory, file) => {
    for (const { kind, page: number, rect, remark, colour = [255, 200, 0] } of wanted) {
      const page = library.FPDF_LoadPage(file, number - 1);
      const annotation = library.FPDFPage_CreateAnnot(page, subtypes[kind]);
      assert.notEqual(annotation, 0, `PDFium makes no ${kind}.`);
      const [left, bottom, right, top] = rect;
      assert.ok(library.FPDFAnnot_SetRect(annotation, memory.takeFloats([left, top, right, bottom])));
      const [red, green, blue] = colour;
      assert.ok(library.EPDFAnnot_SetColor(annotation, 0, red, green, blue));
      if (MARKUP.includes(kind)) {
        const quad = memory.takeFloats([left, top, right, top, left, bottom, right, bottom]);
        assert.ok(library.FPDFAnnot_AppendAttachmentPoints(annotation, quad));
      }
      if (kind === 'ink') {
        const stroke = memory.takeFloats([left, bottom, right, top]);
        assert.notEqual(library.FPDFAnnot_AddInkStroke(annotation, stroke, 2), -1);
      }
      if (remark !== undefined)
        assert.ok(library.FPDFAnnot_SetStringValue(annotation, 'Contents', memory.takeText(remark)));
      // Readers have their own icon for notes.
      if (kind !== 'note') library.EPDFAnnot_GenerateAppearance(annotation);
      library.FPDFPage_CloseAnnot(annotation);
      library.FPDF_ClosePage(page);
    }
    const writer = library.PDFiumExt_OpenFileWriter();
    library.PDFiumExt_SaveAsCopy(file, writer);
    const length = library.PDFiumExt_GetFileWriterSize(writer);
    const at = memory.take(length);
    library.PDFiumExt_GetFileWriterData(writer, at, length);
    library.PDFiumExt_CloseFileWriter(writer);
    return memory.bytes(at, length);
  });
}
