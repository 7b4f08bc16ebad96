import { stripVTControlCharacters } from 'node:util';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { parseBounded, withoutNonNumbers } from '../core/domain/bounded-json.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import { maybe } from '../core/domain/json-schemas.ts';
import { NotebookError } from '../core/domain/errors.ts';
import { JUPYTER_TYPE } from '../core/domain/media-types.ts';
import { MarkdownWriter } from './markdown-writer.ts';
import { headingsOfMarkdown } from './markdown.ts';
import { decodeText } from './text-decoding.ts';
import { fragmentMarkdown } from './web/fragment-markdown.ts';

/** Maximum length of an output, in UTF-16 code units. Longer ones are cut in the middle. */
const MAX_OUTPUT_LENGTH = 4000;

/** Limits of a notebook. Diagrams in outputs are deeply nested, and every line of a text is a value. */
const BOUNDS = { depth: 500, values: 5_000_000 };

/** Runs of the canonical text with their cell, the number of the output (0 for none), line, and character. */
class CellRuns {
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #cells: number[] = [];
  readonly #outputs: number[] = [];
  readonly #lines: number[] = [];

  /** Adds a part of the canonical text whose lines come from a cell, or from one of its outputs, counted from one. */
  add(offset: number, text: string, cell: number, output = 0): void {
    let at = offset;
    for (const [line, words] of text.split('\n').entries()) {
      if (words !== '') {
        this.#starts.push(at);
        this.#lengths.push(words.length);
        this.#cells.push(cell);
        this.#outputs.push(output);
        this.#lines.push(line);
      }
      at += words.length + 1;
    }
  }

  get map(): Extract<ReadDocument['map'], { kind: 'cells' }> {
    return {
      kind: 'cells',
      starts: Uint32Array.from(this.#starts),
      lengths: Uint32Array.from(this.#lengths),
      cells: Uint32Array.from(this.#cells),
      outputs: Uint32Array.from(this.#outputs),
      lines: Uint32Array.from(this.#lines),
      characters: new Uint32Array(this.#starts.length),
    };
  }
}

/**
 * Returns a Jupyter notebook as a document: its Markdown cells, its code in fences, and the text of its outputs.
 * @throws NotebookError `damaged` if it isn't a notebook, `unsupported` for one from before 2015.
 */
export function readJupyter(bytes: Uint8Array, name: string): ReadDocument {
  const notebook = parse(bytes, name);
  const { cells } = notebook;
  if (cells === undefined) throw formatError(notebook, name);
  const language = readLanguage(notebook.metadata);
  const writer = new MarkdownWriter();
  const runs = new CellRuns();
  let omittedCells = 0;
  for (const [index, cell] of cells.entries()) {
    if (writer.isFull) omittedCells++;
    else writeCell(writer, runs, cell, index, language);
  }
  const { text } = writer;
  const headings = headingsOfMarkdown(text);
  return {
    title: headings[0]?.title,
    mediaType: JUPYTER_TYPE,
    format: 'markdown',
    languageId: language,
    text,
    map: runs.map,
    headings,
    warnings:
      omittedCells === 0
        ? []
        : [t('The Jupyter notebook is too long. Cells skipped at the end: {0}.', omittedCells)],
  };
}

function writeCell(
  writer: MarkdownWriter,
  runs: CellRuns,
  cell: Cell,
  index: number,
  language: string,
): void {
  const body = cell.source.replaceAll(/\r\n?/g, '\n').trimEnd();
  const isMarkdown = cell.cell_type === 'markdown';
  if (body.trim() !== '') {
    const start = isMarkdown ? writer.block(body) : writer.writeFenced(body, language);
    const shown = isMarkdown ? body.replace(/^\n+/, '') : body;
    runs.add(start - (body.length - shown.length), body, index);
  }
  for (const [number, output] of cell.outputs.entries()) {
    const shownOutput = shortenOutput(outputText(output));
    if (shownOutput.trim() !== '')
      runs.add(writer.writeFenced(shownOutput, 'text'), shownOutput, index, number + 1);
  }
}

/** Text of an output, as Markdown or plain text. */
export interface OutputText {
  readonly text: string;
  readonly isMarkdown: boolean;
}

/** Returns the outputs of one cell as a document that maps to the outputs of that cell. `cell` is zero-based. */
export function documentOfOutputs(outputs: readonly OutputText[], cell: number): ReadDocument {
  const writer = new MarkdownWriter();
  const runs = new CellRuns();
  for (const [index, { text, isMarkdown }] of outputs.entries()) {
    const plainOutput = stripVTControlCharacters(text)
      .replaceAll(/\r\n?/g, '\n')
      .trimEnd()
      .replace(/^\n+/, '');
    if (plainOutput === '') continue;
    runs.add(
      isMarkdown ? writer.block(plainOutput) : writer.writeFenced(plainOutput, 'text'),
      plainOutput,
      cell,
      index + 1,
    );
  }
  const { text } = writer;
  return {
    mediaType: JUPYTER_TYPE,
    format: 'markdown',
    text,
    map: runs.map,
    headings: headingsOfMarkdown(text),
    warnings: [],
  };
}

/** Picture types of outputs in order of preference, bitmaps first. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'] as const;

/** Texts are one string or a list of lines. */
const lines = v.fallback(
  v.union([
    v.string(),
    v.pipe(
      v.array(v.unknown()),
      v.transform((parts) => parts.filter((line) => typeof line === 'string').join('')),
    ),
  ]),
  '',
);
const words = v.fallback(v.string(), '');
const jupyterOutput = v.object({
  output_type: words,
  ename: lines,
  evalue: lines,
  text: lines,
  data: orEmpty(
    v.object({
      ...v.entriesFromList(
        ['text/plain', 'text/markdown', 'text/latex', 'text/html', ...PICTURE_TYPES],
        lines,
      ),
      'application/json': v.optional(v.unknown()),
    }),
  ),
});
const jupyterCell = v.object({
  cell_type: words,
  source: lines,
  outputs: v.fallback(v.array(orEmpty(jupyterOutput)), []),
});
const jupyterNotebook = orEmpty(
  v.object({
    cells: maybe(v.array(orEmpty(jupyterCell))),
    /** Only in notebooks from before 2015. */
    worksheets: maybe(v.array(v.unknown())),
    metadata: orEmpty(
      v.object({
        language_info: orEmpty(v.object({ name: words })),
        kernelspec: orEmpty(v.object({ language: words })),
      }),
    ),
  }),
);
type Output = v.InferOutput<typeof jupyterOutput>;
type Notebook = v.InferOutput<typeof jupyterNotebook>;
type Cell = v.InferOutput<typeof jupyterCell>;

/** Replaces an invalid value with an object without fields. */
function orEmpty<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(schema, v.parse(schema, {}));
}

/** Returns the picture that a cell output, or the one in the given output. Both indexes are zero-based. */
export function pictureOfOutput(
  bytes: Uint8Array,
  name: string,
  cell: number,
  output: number | undefined,
): { readonly mediaType: string; readonly bytes: Uint8Array } | undefined {
  const outputs = parse(bytes, name).cells?.[cell]?.outputs ?? [];
  for (const cellOutput of output === undefined ? outputs : outputs.slice(output, output + 1))
    for (const mediaType of PICTURE_TYPES) {
      const data = cellOutput.data[mediaType];
      if (data === '') continue;
      const isText = mediaType === 'image/svg+xml';
      return { mediaType, bytes: Uint8Array.from(Buffer.from(data, isText ? 'utf8' : 'base64')) };
    }
  return undefined;
}

/** Matches the text that represents an object without words: `<IPython.core.display.HTML object>`. */
const OBJECT = /^\s*<[\w.]{1,200} (?:object|at)\b[^<>]{0,100}>\s*$/;

/**
 * Returns the text of an output: Markdown, plain text, or what there is of LaTeX, HTML, and JSON, or an error's message
 * without colors.
 */
function outputText({ output_type: type, ename, evalue, text, data }: Output): string {
  if (type === 'error') return `${ename}: ${evalue}`;
  const plain = text || data['text/plain'];
  const written = data['text/markdown'] || (OBJECT.test(plain) ? '' : plain);
  return stripVTControlCharacters(written.trim() === '' ? richText(data) || plain : written)
    .replaceAll(/\r\n?/g, '\n')
    .trimEnd();
}

/** Maximum length of an output's HTML to read, in UTF-16 code units. */
const MAX_HTML_LENGTH = 1024 * 1024;

/** Returns the words of an output that has no plain text. */
function richText(data: Output['data']): string {
  const { 'text/latex': latex, 'text/html': html, 'application/json': json } = data;
  if (latex.trim() !== '') return latex;
  if (html.trim() !== '' && html.length <= MAX_HTML_LENGTH) {
    // The output is shown as plain text, so remove the codes for bold letters.
    const words = html.replace(/<\/?(?:b|strong|em|i)(?:\s[^<>]{0,500})?>/gi, '');
    return fragmentMarkdown(words);
  }
  return json === undefined || json === null ? '' : JSON.stringify(json, undefined, 1);
}

function shortenOutput(text: string): string {
  if (text.length <= MAX_OUTPUT_LENGTH) return text;
  const half = MAX_OUTPUT_LENGTH / 2;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`.toWellFormed();
}

function readLanguage({ language_info: info, kernelspec }: Notebook['metadata']): string {
  const named = info.name || kernelspec.language;
  return /^[\w+#-]{1,30}$/.test(named) ? named.toLowerCase() : 'python';
}

function parse(bytes: Uint8Array, name: string): Notebook {
  try {
    return v.parse(jupyterNotebook, parseNotebook(decodeText(bytes)));
  } catch (error) {
    if (error instanceof RangeError)
      throw new NotebookError(
        'too-large',
        t('{0} is too large to read as a Jupyter notebook. Split it, then add the parts.', name),
        { cause: error },
      );
    throw new NotebookError(
      'damaged',
      t('Can’t read {0} as a Jupyter notebook. The file is damaged or incomplete. Add another copy.', name),
      { cause: error },
    );
  }
}

/** Parses the JSON of a notebook. Python writes `NaN` and `Infinity`, which JSON doesn't allow. */
function parseNotebook(json: string): unknown {
  try {
    return parseBounded(json, BOUNDS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parseBounded(withoutNonNumbers(json), BOUNDS);
  }
}

function formatError({ worksheets }: Notebook, name: string): NotebookError {
  return worksheets === undefined
    ? new NotebookError(
        'damaged',
        t(
          '{0} isn’t a Jupyter notebook, although its name says so. Check the file, then add another copy.',
          name,
        ),
      )
    : new NotebookError(
        'unsupported',
        t('{0} uses an old Jupyter notebook format. Open and save it in Jupyter, then add it again.', name),
      );
}
