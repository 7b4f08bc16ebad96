import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import { escapeInline, escapeLineStarts, escapeMarkdown, MarkdownWriter } from '../markdown-writer.ts';
import { toDocument } from './written-document.ts';
import { joinRuns, type Raise, type TextRun } from '../raised-text.ts';
import { writeChart } from './chart.ts';
import { formulaOf } from './omml.ts';
import {
  declaredTitle,
  mainPart,
  officeText,
  relatedPart,
  readRelations,
  type Relations,
} from './open-xml.ts';
import { withSymbols } from './symbol-fonts.ts';
import { linkTarget } from './word-text.ts';
import {
  childAt,
  childElements,
  descendants,
  elementsIn,
  joinTexts,
  textWithin,
  type XmlElement,
} from './xml.ts';
import { damagedError, openContainer, type Container } from './zip.ts';

export const PPTX_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

/**
 * Returns a PowerPoint file as a document: each slide under its number and title, with its tables and speaker notes.
 * @throws NotebookError `damaged`, or an error of a container that can't be opened
 */
export function readPptx(bytes: Uint8Array, name: string): ReadDocument {
  const container = openContainer(bytes, name);
  const main = mainPart(container, name);
  const relations = readRelations(container, main, name);
  const writer = new MarkdownWriter();
  const unreadable: number[] = [];
  const [list] = elementsIn(container.part(main), 'sldIdLst', name);
  if (list === undefined) throw damagedError(name);
  for (const [index, { attributes }] of childElements(list, 'sldId').entries()) {
    if (writer.isFull) break;
    const part = relations.get(attributes['r:id'] ?? '')?.target;
    const [slide] = elementsIn(container.part(part ?? ''), 'sld', name);
    if (part === undefined || slide === undefined) unreadable.push(index + 1);
    else
      writeSlide(
        { container, name, writer, relations: readRelations(container, part, name) },
        slide,
        index + 1,
      );
  }
  const warnings = unreadable.map((number) => t('Skipped slide {0} because it’s damaged.', number));
  return toDocument(writer, PPTX_TYPE, declaredTitle(container, name) ?? firstTitle(writer), warnings);
}

interface SlideReading {
  readonly container: Container;
  readonly name: string;
  readonly writer: MarkdownWriter;
  readonly relations: Relations;
}

function firstTitle({ headings }: MarkdownWriter): string | undefined {
  const title = headings[0]?.title.replace(/^Slide 1(?:: )?/, '');
  return title === '' ? undefined : title;
}

function writeSlide(reading: SlideReading, slide: XmlElement, number: number): void {
  const { writer } = reading;
  const tree = childAt(slide, 'cSld', 'spTree');
  const shapes = tree === undefined ? [] : listShapes(tree);
  const titleShape = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(placeholderType(shape)));
  const title = titleShape === undefined ? '' : plainText(titleShape);
  const label = t('slide {0}', number);
  writer.place(title === '' ? label : `${label}: ${title}`);
  writer.heading(1, title === '' ? `Slide ${String(number)}` : `Slide ${String(number)}: ${title}`);
  for (const shape of shapes) if (shape !== titleShape) writeShape(reading, shape);
  writeNotes(reading);
}

/** Returns the shapes with words, including those in groups, in drawing order. */
function listShapes(tree: XmlElement): XmlElement[] {
  return childElements(tree).flatMap((child) => {
    if (child.name === 'grpSp') return listShapes(child);
    if (child.name === 'AlternateContent') {
      const choice = childAt(child, 'Choice');
      return choice === undefined ? [] : listShapes(choice);
    }
    const hasWords = child.name === 'sp' || child.name === 'graphicFrame' || child.name === 'pic';
    return hasWords && !/^(?:sldNum|dt|ftr)$/.test(placeholderType(child)) ? [child] : [];
  });
}

function placeholderType(shape: XmlElement): string {
  const placeholder = childAt(shape, 'nvSpPr', 'nvPr', 'ph');
  return placeholder === undefined ? '' : (placeholder.attributes['type'] ?? 'body');
}

function writeShape({ writer, relations, container, name }: SlideReading, shape: XmlElement): void {
  const text = childAt(shape, 'txBody');
  if (text !== undefined) {
    writer.block(readParagraphs(text, relations, placeholderType(shape) === 'body'));
    return;
  }
  for (const table of descendants(shape, 'tbl')) {
    const [header, ...rows] = childElements(table, 'tr').map((row) => ({
      cells: childElements(row, 'tc').map((cell) => plainText(cell)),
    }));
    if (header !== undefined) writer.table(header.cells, rows);
  }
  for (const { attributes } of descendants(shape, 'chart'))
    writeChart(writer, container.part(relations.get(attributes['r:id'] ?? '')?.target ?? ''), name);
  const diagram = [...descendants(shape, 'relIds')][0]?.attributes['r:dm'];
  const part = diagram === undefined ? undefined : relations.get(diagram)?.target;
  for (const list of elementsIn(container.part(part ?? ''), 'ptLst', name))
    writer.block(
      [...descendants(list, 'p')]
        .map((paragraph) => paragraphText(paragraph, new Map()).trim().replaceAll('\n', ' '))
        .filter((words) => words !== '')
        .map((words) => `- ${words}`)
        .join('\n'),
    );
  for (const { attributes } of [...descendants(shape, 'cNvPr')].slice(0, 1)) {
    const description = (attributes['descr'] ?? '').replace(/\s+/g, ' ').trim();
    // PowerPoint's automatic descriptions name only the kind of object.
    if (!/automatically|^\S*$/i.test(description)) writer.block(escapeMarkdown(description));
  }
}

/** Returns the text of paragraphs. In a slide's body they become list items at the depth of their indentation. */
function readParagraphs(text: XmlElement, relations: Relations, isBody: boolean): string {
  const paragraphs = childElements(text, 'p').flatMap((paragraph) => {
    const words = paragraphText(paragraph, relations).trim();
    const level = Number(childAt(paragraph, 'pPr')?.attributes['lvl'] ?? 0) || 0;
    return words === '' ? [] : [{ words, level: Math.min(8, level) }];
  });
  if (!isBody || paragraphs.length < 2)
    return paragraphs.map(({ words }) => escapeLineStarts(words)).join('\n\n');
  return paragraphs
    .map(({ words, level }) => `${'  '.repeat(level)}- ${words.replaceAll('\n', ' ')}`)
    .join('\n');
}

/** Returns the words of a paragraph as Markdown, with web links, and formulas as TeX. */
function paragraphText(paragraph: XmlElement, relations: Relations): string {
  const lines = joinRuns(runsOf(paragraph, relations)).split('\n');
  return lines.map((line) => line.trim()).join('\n');
}

/** Returns the words of a shape or cell on one line. */
function plainText(shape: XmlElement): string {
  const none: Relations = new Map();
  return [...descendants(shape, 'p')]
    .map((paragraph) => joinRuns(runsOf(paragraph, none, (text) => text)))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function runsOf(
  element: XmlElement,
  relations: Relations,
  escape: (text: string) => string = escapeInline,
): TextRun[] {
  return childElements(element).flatMap((part): TextRun[] => {
    switch (part.name) {
      case 'br':
        return [{ text: '\n' }];
      case 'r':
      case 'fld': {
        const properties = childAt(part, 'rPr');
        const font = childAt(properties, 'sym') ?? childAt(properties, 'latin');
        const words = joinTexts(childElements(part, 't').map(textWithin));
        const text = escape(withSymbols(officeText(words), font?.attributes['typeface']));
        const link = childAt(properties, 'hlinkClick')?.attributes['r:id'];
        return [
          {
            text: link === undefined ? text : linkTarget(text, relations.get(link)?.target),
            raise: raiseOf(properties),
            isStruck: /^(?:sng|dbl)Strike$/.test(properties?.attributes['strike'] ?? ''),
          },
        ];
      }
      case 'oMath':
      case 'oMathPara':
        return [{ text: formulaOf(part) }];
      case 'pPr':
      case 'endParaRPr':
      case 'Fallback':
        return [];
      default:
        return runsOf(part, relations, escape);
    }
  });
}

function raiseOf(properties: XmlElement | undefined): Raise | undefined {
  const baseline = Number.parseFloat(properties?.attributes['baseline'] ?? '0');
  return baseline > 0 ? 'super' : baseline < 0 ? 'sub' : undefined;
}

function writeNotes({ container, name, writer, relations }: SlideReading): void {
  const part = relatedPart(relations, 'notesSlide');
  const [notes] = elementsIn(container.part(part ?? ''), 'spTree', name);
  if (notes === undefined) return;
  for (const shape of listShapes(notes)) {
    const text = childAt(shape, 'txBody');
    if (text === undefined || placeholderType(shape) !== 'body') continue;
    const words = readParagraphs(text, new Map(), false);
    if (words !== '') writer.block(`Speaker notes: ${words}`);
  }
}
