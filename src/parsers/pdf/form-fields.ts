import { plainWords } from '../../core/language/words/folding.ts';
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist';
import * as v from 'valibot';
import { RunDirection } from '../../core/domain/document.ts';
import type { Box, Fragment, Word } from './fragment.ts';
import { plainLetters, wordsIn } from './letters.ts';

/** Maximum number of fields per page, and maximum text length of a field and of a page, in UTF-16 code units. */
const MAX_FIELDS = 5_000;
const MAX_VALUE_LENGTH = 20_000;
const MAX_TEXT = 200_000;
/** Maximum length of a field's name. Longer names are meant for programs, not for people. */
const MAX_NAME_LENGTH = 200;
/** Maximum font size, in points, if the form leaves it to the viewer. */
const USUAL_SIZE = 10;

const field = v.looseObject({
  subtype: v.literal('Widget'),
  rect: v.tuple([v.number(), v.number(), v.number(), v.number()]),
  fieldType: v.picklist(['Tx', 'Ch', 'Btn']),
  fieldName: v.fallback(v.string(), ''),
  alternativeText: v.fallback(v.string(), ''),
  fieldValue: v.fallback(v.nullable(v.union([v.string(), v.array(v.string())])), null),
  hidden: v.fallback(v.boolean(), false),
  password: v.fallback(v.boolean(), false),
  checkBox: v.fallback(v.boolean(), false),
  radioButton: v.fallback(v.boolean(), false),
  exportValue: v.fallback(v.nullable(v.string()), null),
  buttonValue: v.fallback(v.nullable(v.string()), null),
  options: v.fallback(v.array(v.object({ exportValue: v.string(), displayValue: v.string() })), []),
  defaultAppearanceData: v.fallback(v.object({ fontSize: v.number() }), { fontSize: 0 }),
});

type Field = v.InferOutput<typeof field>;

/**
 * Returns the values in the form fields of a page, each with its name unless the page shows it beside the field: "Full
 * name: Ada", "☒ Married". Leaves out hidden fields and passwords.
 */
export async function filledFields(
  page: PDFPageProxy,
  viewport: PageViewport,
  printed: readonly Fragment[],
): Promise<Fragment[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'display' }).catch(() => []);
  const rows = Map.groupBy(printed, ({ baseline }) => Math.round(baseline / ROW));
  const fragments: Fragment[] = [];
  let remainingLength = MAX_TEXT;
  for (const annotation of annotations.slice(0, MAX_FIELDS)) {
    const read = v.safeParse(field, annotation);
    if (!read.success || read.output.hidden || read.output.password) continue;
    const value = readValue(read.output);
    if (value === undefined) continue;
    remainingLength -= value.length;
    if (remainingLength < 0) break;
    fragments.push(...makeFragments(read.output, value, viewport, rows));
  }
  return fragments;
}

/** Returns the value of a field; undefined if it is empty, not checked, or a button. */
function readValue({
  fieldType,
  checkBox,
  radioButton,
  fieldValue,
  exportValue,
  buttonValue,
  options,
}: Field): string | undefined {
  if (fieldType === 'Btn') {
    const own = checkBox ? exportValue : radioButton ? buttonValue : null;
    return own !== null && own !== 'Off' && own === fieldValue ? '☒' : undefined;
  }
  const optionLabel = (value: string): string =>
    options.find((option) => option.exportValue === value)?.displayValue ?? value;
  const values = typeof fieldValue === 'string' ? [fieldValue] : (fieldValue ?? []);
  const text = values.slice(0, MAX_FIELDS).map(optionLabel).join(', ').slice(0, MAX_VALUE_LENGTH);
  return text.trim() === '' ? undefined : text;
}

/**
 * Returns the display name of a field, else the last part of its internal name if it contains words:
 * "form1[0].City[0]".
 */
function readName({ alternativeText, fieldName, fieldType, buttonValue, radioButton }: Field): string {
  const shown = alternativeText.slice(0, MAX_NAME_LENGTH).trim();
  const own =
    fieldName
      .slice(-MAX_NAME_LENGTH)
      .split('.')
      .at(-1)
      ?.replace(/\[\d{1,6}\]/g, '') ?? '';
  const name = shown !== '' ? shown : /\p{L}{3}/u.test(own) ? own.replaceAll('_', ' ') : '';
  if (fieldType !== 'Btn' || !radioButton) return name;
  return [name, buttonValue ?? ''].filter((part) => part !== '').join(': ');
}

/** Maximum text size, as a share of a line's height in the field. */
const SHARE_OF_LINE = 0.9;
/** Distance of the baseline below the middle of the line, in font sizes: half the height of capitals. */
const BELOW_MIDDLE = 0.35;
/** Maximum distance between the baselines of a label and its field, in points. */
const ROW = 12;

function makeFragments(
  formField: Field,
  value: string,
  viewport: PageViewport,
  rows: ReadonlyMap<number, readonly Fragment[]>,
): Fragment[] {
  const [a = 0, b = 0, c = 0, d = 0] = viewport.convertToViewportRectangle(formField.rect) as number[];
  const box = { left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) };
  const height = box.bottom - box.top;
  if (!(box.right > box.left && height > 0)) return [];
  const lines = value.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
  const { fontSize } = formField.defaultAppearanceData;
  const pitch = height / Math.max(1, lines.length);
  const size = Math.max(1, Math.min(fontSize > 0 ? fontSize : USUAL_SIZE, SHARE_OF_LINE * pitch));
  const name = readName(formField);
  const label = name === '' || isPrinted(name, box, rows) ? '' : name;
  const isMark = formField.fieldType === 'Btn';
  return lines.flatMap((line, index): Fragment[] => {
    const isFirst = index === 0 && label !== '';
    const text = isMark ? [line, label].join(' ') : isFirst ? `${label.replace(/:$/, '')}: ${line}` : line;
    const middle = box.top + (index + 0.5) * pitch;
    const words = wordsInBox(
      plainLetters(text.replace(/\p{Cc}/gu, ' ')),
      lineBox(formField.rect, index, lines.length, viewport.rotation),
    );
    if (words.length === 0) return [];
    return [
      {
        words,
        way: 'across',
        left: box.left,
        right: box.right,
        baseline: middle + BELOW_MIDDLE * size,
        size,
        rightToLeft: false,
        monospaced: false,
        font: undefined,
        spaceAfter: true,
      },
    ];
  });
}

/** Reports whether the page shows a name before a field, or right above or below it. */
function isPrinted(
  name: string,
  box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number },
  rows: ReadonlyMap<number, readonly Fragment[]>,
): boolean {
  const nameLetters = lettersOnly(name);
  for (let row = Math.floor(box.top / ROW) - 1; row <= Math.ceil(box.bottom / ROW) + 1; row++) {
    const beside = (rows.get(row) ?? []).slice(0, MAX_COMPARED_FRAGMENTS);
    if (
      lettersOnly(beside.flatMap(({ words }) => words.map(({ text }) => text)).join('')).includes(nameLetters)
    )
      return true;
  }
  return false;
}

/** Maximum number of printed fragments in a row to compare with a name. */
const MAX_COMPARED_FRAGMENTS = 40;

function lettersOnly(text: string): string {
  return plainWords(text).join('');
}

/** Returns a line's part of a field, in points of the unrotated page; on a rotated page, the whole field. */
function lineBox(rect: Field['rect'], index: number, count: number, rotation: number): Box {
  const [x, y] = [Math.min(rect[0], rect[2]), Math.min(rect[1], rect[3])];
  const [width, height] = [Math.abs(rect[2] - rect[0]), Math.abs(rect[3] - rect[1])];
  return rotation === 0
    ? [x, y + (height * (count - 1 - index)) / count, width, height / count]
    : [x, y, width, height];
}

/** Distributes the words of a line over its box, because the layout in the viewer is unknown. */
function wordsInBox(text: string, [x, y, width, height]: Box): Word[] {
  return wordsIn(text).map(({ text: word, before, index }) => ({
    text: word,
    before,
    box: [x + (width * index) / text.length, y, (width * word.length) / text.length, height],
    direction: RunDirection.leftToRight,
  }));
}
