import { escapeInline } from '../markdown-writer.ts';
import { joinRuns, type TextRun } from '../raised-text.ts';
import { formulaOf } from './omml.ts';
import type { Relations } from './open-xml.ts';
import { symbolCharacter, withSymbols } from './symbol-fonts.ts';
import { runFormat, type RunFormat } from './word-styles.ts';
import { childAt, childElements, descendants, textWithin, type XmlElement } from './xml.ts';

/**
 * Elements to skip: deleted text of tracked changes, field instructions, copies for older programs, and readings above
 * Japanese characters.
 */
const UNREAD = new Set([
  'del',
  'moveFrom',
  'instrText',
  'Fallback',
  'pPr',
  'rPr',
  'delText',
  'tcPr',
  'rt',
  'sdtPr',
]);

/** Targets of the references in a paragraph, and the formats of its styles. */
export interface TextContext {
  readonly relations: Relations;
  /** Returns the number of a note, such as `footnote 2`, counted from 1 in the order of first mention. */
  readonly noteNumber: (note: string) => number;
  /** Returns the format of the letters in a style. */
  readonly formatOfStyle: (id: string) => RunFormat;
}

/**
 * Returns the words of a paragraph of a Word file as Markdown, with web links, formulas as TeX, and the alternative text
 * of pictures. Leaves out hidden text.
 */
export function runsText(element: XmlElement, context: TextContext): string {
  const style = childAt(element, 'pPr', 'pStyle')?.attributes['w:val'];
  const runs: TextRun[] = [];
  collectRuns(runs, element, context, style === undefined ? {} : context.formatOfStyle(style));
  return joinRuns(runs);
}

function collectRuns(runs: TextRun[], element: XmlElement, context: TextContext, format: RunFormat): void {
  for (const child of element.children) {
    if (typeof child === 'string' || UNREAD.has(child.name)) continue;
    collectPart(runs, child, context, format);
  }
}

function collectPart(runs: TextRun[], part: XmlElement, context: TextContext, format: RunFormat): void {
  const add = (text: string): void => {
    const raise = format.raise === 'baseline' ? undefined : format.raise;
    if (format.isHidden !== true) runs.push({ text, raise, isStruck: format.isStruck });
  };
  switch (part.name) {
    case 'r': {
      const properties = childAt(part, 'rPr');
      const style = childAt(properties, 'rStyle')?.attributes['w:val'];
      const ofStyle = style === undefined ? {} : context.formatOfStyle(style);
      collectRuns(runs, part, context, { ...format, ...ofStyle, ...runFormat(properties) });
      return;
    }
    case 't':
      add(escapeInline(withSymbols(textWithin(part), format.font)));
      return;
    case 'sym': {
      const code = Number.parseInt(part.attributes['w:char'] ?? '', 16);
      add(escapeInline(symbolCharacter(part.attributes['w:font'] ?? '', code)));
      return;
    }
    case 'oMath':
    case 'oMathPara':
      add(formulaOf(part));
      return;
    case 'tab':
    case 'ptab':
      add(' ');
      return;
    case 'br':
    case 'cr':
      add('\n');
      return;
    case 'noBreakHyphen':
      add('-');
      return;
    case 'fldChar':
      add(checkBox(part) || escapeInline(selectedEntry(part)));
      return;
    case 'sdt': {
      const content: TextRun[] = [];
      const isPrompt = childAt(part, 'sdtPr', 'showingPlcHdr') !== undefined;
      if (!isPrompt) collectRuns(content, part, context, format);
      if (content.some(({ text }) => text.trim() !== '')) runs.push(...content);
      else add(escapeInline(valueOfControl(part)));
      return;
    }
    case 'hyperlink': {
      const target = context.relations.get(part.attributes['r:id'] ?? '')?.target;
      if (target === undefined) collectRuns(runs, part, context, format);
      else {
        const words: TextRun[] = [];
        collectRuns(words, part, context, format);
        runs.push({ text: linkTarget(joinRuns(words), target) });
      }
      return;
    }
    case 'footnoteReference':
    case 'endnoteReference': {
      const note = `${part.name.slice(0, -'Reference'.length)} ${part.attributes['w:id'] ?? ''}`;
      if (format.isHidden !== true) runs.push({ text: `[${String(context.noteNumber(note))}]` });
      return;
    }
    case 'docPr':
      if (part.attributes['hidden'] !== '1') add(altText(part));
      return;
    case 'txbxContent':
      runs.push({
        text: ` ${[...descendants(part, 'p')].map((paragraph) => runsText(paragraph, context)).join(' ')} `,
      });
      return;
    // A damaged file can have these inside a paragraph, and parts of formulas outside of a formula.
    case 'p':
    case 'tc':
    case 'num':
    case 'den':
    case 'e':
    case 'sub':
    case 'sup':
      runs.push({ text: ' ' });
      collectRuns(runs, part, context, format);
      runs.push({ text: ' ' });
      return;
    default:
      collectRuns(runs, part, context, format);
  }
}

/** Returns the check box of a form field of older versions of Word; empty for other fields. */
function checkBox(field: XmlElement): string {
  const box = childAt(field, 'ffData', 'checkBox');
  if (box === undefined) return '';
  const state = childAt(box, 'checked') ?? childAt(box, 'default');
  return state === undefined || /^(?:0|false|off)$/.test(state.attributes['w:val'] ?? '1') ? '☐' : '☒';
}

/** Returns the selected entry of a drop-down field of older versions of Word; empty for other fields. */
function selectedEntry(field: XmlElement): string {
  const list = childAt(field, 'ffData', 'ddList');
  const selected = childAt(list, 'result') ?? childAt(list, 'default');
  const entry = childElements(list, 'listEntry')[Number(selected?.attributes['w:val'] ?? 0)];
  return entry?.attributes['w:val'] ?? '';
}

/** Returns the value of a content control that shows no text: its date, its selected entry, or its check box. */
function valueOfControl(control: XmlElement): string {
  const properties = childAt(control, 'sdtPr');
  const date = childAt(properties, 'date')?.attributes['w:fullDate'];
  if (date !== undefined) return date.slice(0, 'yyyy-mm-dd'.length);
  const list = childAt(properties, 'dropDownList') ?? childAt(properties, 'comboBox');
  const value = list?.attributes['w:lastValue'];
  if (value !== undefined && value !== '') {
    const item = childElements(list, 'listItem').find(({ attributes }) => attributes['w:value'] === value);
    return item?.attributes['w:displayText'] ?? value;
  }
  const isChecked = childAt(properties, 'checkbox', 'checked')?.attributes['w14:val'];
  return isChecked === undefined ? '' : /^(?:1|true)$/.test(isChecked) ? '☒' : '☐';
}

/** Returns a link to the web as Markdown, and any other link as its words. */
export function linkTarget(words: string, target: string | undefined): string {
  if (target === undefined || words.trim() === '' || !/^(?:https?|mailto):/i.test(target)) return words;
  const address = target.replace(
    /[()\s<>]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `[${words}](${address})`;
}

/** Returns the alternative text of a picture, unless it is just a file name. */
function altText({ attributes }: XmlElement): string {
  const description = (attributes['descr'] ?? '').replace(/\s+/g, ' ').trim();
  return description === '' || /^\S+\.\w{3,4}$/.test(description) ? '' : ` ${escapeInline(description)} `;
}
