import { escapeMarkdown, type MarkdownWriter } from '../markdown-writer.ts';
import { numberKind, numberText } from './number-format.ts';
import { officeText } from './open-xml.ts';
import { childAt, childElements, descendants, elementsIn, textWithin, type XmlElement } from './xml.ts';

/** Maximum number of points of a series. Charts with more are measurements that say little in words. */
const MAX_POINTS = 1000;

interface Series {
  readonly name: string;
  readonly categories: ReadonlyMap<number, string>;
  readonly values: ReadonlyMap<number, string>;
}

/** Writes a chart of an Office file as its title and a table: a row for each category, a column for each series. */
export function writeChart(writer: MarkdownWriter, part: Uint8Array | undefined, fileName: string): void {
  const [chart] = elementsIn(part, 'chartSpace', fileName);
  if (chart === undefined) return;
  const title = wordsOf(childAt(chart, 'chart', 'title'));
  const series = [...[...descendants(chart, 'ser')].map(readSeries), ...newerSeries(chart)];
  writer.block(escapeMarkdown(title));
  const rows = new Set(series.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()]));
  if (rows.size === 0) return;
  writer.table(
    [wordsOf(axisTitle(chart)), ...series.map(({ name }) => name)],
    [...rows]
      .sort((a, b) => a - b)
      .slice(0, MAX_POINTS)
      .map((row) => ({
        cells: [
          series.map(({ categories }) => categories.get(row)).find((name) => name !== undefined) ??
            String(row + 1),
          ...series.map(({ values }) => values.get(row) ?? ''),
        ],
      })),
  );
}

function readSeries(series: XmlElement): Series {
  const [name] = points(childAt(series, 'tx')).values();
  return {
    name: name ?? wordsOf(childAt(series, 'tx')),
    categories: points(childAt(series, 'cat') ?? childAt(series, 'xVal')),
    values: points(childAt(series, 'val') ?? childAt(series, 'yVal')),
  };
}

/** Returns the series of newer charts, such as a waterfall, which store the values outside of the series. */
function newerSeries(chart: XmlElement): Series[] {
  const data = new Map(
    [...descendants(chart, 'data')].map((dataElement) => [dataElement.attributes['id'], dataElement]),
  );
  return [...descendants(chart, 'series')].map((series) => {
    const source = data.get(childAt(series, 'dataId')?.attributes['val']);
    return {
      name: wordsOf(childAt(series, 'tx')),
      categories: points(childAt(source, 'strDim')),
      values: points(childAt(source, 'numDim')),
    };
  });
}

/** Returns the saved values of a series by index. Categories of several levels are joined, the outer one first. */
function points(source: XmlElement | undefined): Map<number, string> {
  const valuesByIndex = new Map<number, string>();
  if (source === undefined) return valuesByIndex;
  const levels = [...descendants(source, 'lvl')].reverse();
  const code = textWithin([...descendants(source, 'formatCode')][0]);
  for (const level of levels.length === 0 ? [source] : levels) {
    let outer = '';
    const own = new Map(
      [...descendants(level, 'pt')].map((point): [number, string] => [
        Number(point.attributes['idx'] ?? 0),
        pointText(textWithin(childAt(point, 'v') ?? point).trim(), code),
      ]),
    );
    if (levels.length < 2 || valuesByIndex.size === 0)
      for (const [index, text] of own) valuesByIndex.set(index, text);
    else
      for (const index of new Set([...valuesByIndex.keys(), ...own.keys()].sort((a, b) => a - b))) {
        outer = valuesByIndex.get(index) ?? outer;
        valuesByIndex.set(index, `${outer} ${own.get(index) ?? ''}`.trim());
      }
  }
  return valuesByIndex;
}

function pointText(value: string, formatCode: string): string {
  const number = Number(value);
  return formatCode === '' || value === '' || !Number.isFinite(number)
    ? officeText(value)
    : numberText(number, numberKind(0, formatCode), false);
}

function axisTitle(chart: XmlElement): XmlElement | undefined {
  const plot = childAt(chart, 'chart', 'plotArea');
  return childAt(
    childElements(plot).find(({ name }) => name === 'catAx' || name === 'dateAx'),
    'title',
  );
}

function wordsOf(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  const words = [...descendants(element, 't')].map(textWithin).join('');
  const cached = words === '' ? [...descendants(element, 'v')].map(textWithin).join(' ') : words;
  return officeText(cached).replace(/\s+/g, ' ').trim();
}
