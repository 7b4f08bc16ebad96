import * as v from 'valibot';
import { RunDirection } from '../../core/domain/document.ts';
import type { ColumnLine } from './column-lines.ts';
import { loadPdf } from './engine.ts';
import type { Fragment } from './fragment.ts';
import { plainLetters, wordsIn } from './letters.ts';
import { linesOfPage } from './page-lines.ts';

/** Node of the page tree that pdf.js makes from a dynamic form (XFA). */
const formNode = v.looseObject({
  name: v.fallback(v.string(), ''),
  value: v.fallback(v.string(), ''),
  attributes: v.fallback(v.record(v.string(), v.unknown()), {}),
  children: v.fallback(v.array(v.unknown()), []),
});

type FormNode = v.InferOutput<typeof formNode>;

/** Maximum nesting and text length of a form, in UTF-16 code units. */
const MAX_DEPTH = 200;
const MAX_TEXT = 2_000_000;

/** Elements within a line of text. */
const INLINE = new Set(['#text', 'span', 'a', 'b', 'i', 'sub', 'sup', 'br']);

/**
 * Returns the lines of text of a dynamic form (XFA), with the values of its fields; undefined if the PDF has no such
 * form, or an unreadable one.
 */
export async function readDynamicForm(
  bytes: Uint8Array,
  password: string | undefined,
): Promise<readonly string[] | undefined> {
  const task = await loadPdf(bytes, { password, isDynamicForm: true });
  try {
    const { allXfaHtml } = await task.promise;
    const lines = linesOfForm(allXfaHtml);
    return lines.length > 0 ? lines : undefined;
  } catch {
    // The caller reads the pages instead.
    return undefined;
  } finally {
    await task.destroy();
  }
}

function linesOfForm(root: unknown): string[] {
  const lines: string[] = [];
  let line = '';
  let remainingLength = MAX_TEXT;
  const flush = (): void => {
    const text = line.replace(/\s+/g, ' ').trim();
    if (text !== '') lines.push(text);
    line = '';
  };
  const visit = (value: unknown, depth: number): void => {
    const node = asNode(value);
    if (node === undefined || depth > MAX_DEPTH || remainingLength < 0) return;
    const isBlock = !INLINE.has(node.name);
    if (isBlock) flush();
    const text = hasClass(node, 'xfaField') ? fieldText(node) : node.name === 'br' ? ' ' : node.value;
    remainingLength -= text.length;
    line += text;
    if (!hasClass(node, 'xfaField')) for (const child of node.children) visit(child, depth + 1);
    if (isBlock) flush();
  };
  visit(root, 0);
  flush();
  return lines;
}

/** Returns a node; undefined if it is hidden. */
function asNode(value: unknown): FormNode | undefined {
  const node = v.safeParse(formNode, value);
  if (!node.success) return undefined;
  const style = v.safeParse(
    v.looseObject({ display: v.optional(v.string()), visibility: v.optional(v.string()) }),
    node.output.attributes['style'],
  );
  const isHidden = style.success && (style.output.display === 'none' || style.output.visibility === 'hidden');
  return isHidden ? undefined : node.output;
}

function hasClass({ attributes }: FormNode, name: string): boolean {
  const classes = attributes['class'];
  return Array.isArray(classes) && classes.includes(name);
}

/** Returns a field with its caption: "Name: Ada", "☒ Married", "☐ Single". */
function fieldText(field: FormNode): string {
  const captions: string[] = [];
  const values: string[] = [];
  let mark = '';
  const visit = (child: unknown, depth: number): void => {
    const node = asNode(child);
    if (node === undefined || depth > MAX_DEPTH) return;
    const { name, value, attributes, children } = node;
    const type = attributes['type'];
    if (type === 'checkbox' || type === 'radio') mark = attributes['checked'] === true ? '☒ ' : '☐ ';
    else if (name === 'input' || name === 'textarea')
      values.push(asText(attributes['textContent']) || asText(attributes['value']) || value);
    else if (name === 'select')
      values.push(
        ...children.flatMap((option) => {
          const read = asNode(option);
          return read?.attributes['selected'] === true ? [read.value] : [];
        }),
      );
    else {
      captions.push(value);
      for (const inner of children) visit(inner, depth + 1);
    }
  };
  visit(field, 0);
  const caption = captions.join(' ').trim();
  const value = values.join(' ').trim();
  return mark + (caption === '' || value === '' ? caption + value : `${caption.replace(/:$/, '')}: ${value}`);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Layout of a form's text, in points: a form has its own only in programs that support XFA. */
const LAYOUT = { margin: 36, size: 10, pitch: 14, letterWidth: 5 };

/** Returns the text of a form as lines on its placeholder page. */
export function placeFormLines(
  texts: readonly string[],
  page: { readonly width: number; readonly height: number },
): ColumnLine[] {
  const width = Math.max(LAYOUT.size, page.width - 2 * LAYOUT.margin);
  const rows = texts.map((text) => wrap(plainLetters(text), Math.floor(width / LAYOUT.letterWidth)));
  const pitch = Math.min(LAYOUT.pitch, page.height / (rows.flat().length + 1));
  let index = 0;
  // Lines of one call are a column, and different columns are different paragraphs.
  return rows.flatMap((row) =>
    linesOfPage(
      row.map((words) => placeWords(words, width, ++index, page.height - pitch * index, pitch)),
      page.height,
    ),
  );
}

/** Returns a row of words as a fragment, the given number of rows below the upper edge. */
function placeWords(
  words: readonly FormWord[],
  width: number,
  row: number,
  bottom: number,
  height: number,
): Fragment {
  let at = 0;
  const placed = words.map(({ text, before }) => {
    at += before.length;
    const x = LAYOUT.margin + Math.min(width - 1, LAYOUT.letterWidth * at);
    at += text.length;
    const right = LAYOUT.margin + Math.min(width, LAYOUT.letterWidth * at);
    return {
      text,
      before,
      box: [x, bottom, right - x, height] as const,
      direction: RunDirection.leftToRight,
    };
  });
  return {
    words: placed,
    way: 'across',
    left: LAYOUT.margin,
    right: LAYOUT.margin + LAYOUT.letterWidth * at,
    baseline: LAYOUT.pitch * row,
    size: LAYOUT.size,
    rightToLeft: false,
    monospaced: false,
    font: undefined,
    spaceAfter: true,
  };
}

type FormWord = ReturnType<typeof wordsIn>[number];

/** Splits a line into lines of at most this many letters, unless a word is longer. */
function wrap(line: string, letters: number): FormWord[][] {
  const rows: FormWord[][] = [];
  let length = Infinity;
  for (const word of wordsIn(line)) {
    length += word.before.length + word.text.length;
    if (length > letters) {
      rows.push([{ ...word, before: '' }]);
      length = word.text.length;
    } else rows.at(-1)?.push(word);
  }
  return rows;
}
