import {
  Math as WordMath,
  MathFraction,
  MathRadical,
  MathRun,
  MathSubScript,
  MathSubSuperScript,
  MathSuperScript,
  type MathComponent,
} from 'docx';
import { DomUtils, parseDocument } from 'htmlparser2';
import { writeMath } from './html.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];

/**
 * Converts a formula to Word's format; undefined if it can't be drawn, or has an unsupported element such as a matrix.
 */
export function wordMath(tex: string, isDisplayed: boolean): WordMath | undefined {
  const mathMl = writeMath(tex, isDisplayed);
  if (mathMl === undefined) return undefined;
  const parts = makeParts(parseDocument(mathMl, { xmlMode: true }).children);
  return parts === undefined || parts.length === 0 ? undefined : new WordMath({ children: parts });
}

function makeParts(nodes: readonly Node[]): MathComponent[] | undefined {
  const parts: MathComponent[] = [];
  for (const node of nodes) {
    const part = makePart(node);
    if (part === undefined) return undefined;
    parts.push(...part);
  }
  return parts;
}

function makePart(node: Node): MathComponent[] | undefined {
  if (DomUtils.isText(node)) return node.data.trim() === '' ? [] : undefined;
  if (!DomUtils.isTag(node)) return [];
  const children = node.children.filter((child) => !DomUtils.isText(child) || child.data.trim() !== '');
  switch (node.name) {
    case 'annotation':
    case 'mspace':
      return [];
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
      // Remove invisible operators.
      return [new MathRun(DomUtils.textContent(node).replaceAll(/[\u2061-\u2064]/g, ''))];
    case 'math':
    case 'mrow':
    case 'mstyle':
    case 'semantics':
    case 'span':
      return makeParts(children);
    case 'msqrt': {
      const inside = makeParts(children);
      return inside && [new MathRadical({ children: inside })];
    }
  }
  const each = children.map((child) => makePart(child));
  const [first, second, third] = each;
  if (first === undefined || second === undefined) return undefined;
  switch (node.name) {
    case 'mfrac':
      return [new MathFraction({ numerator: first, denominator: second })];
    case 'mroot':
      return [new MathRadical({ children: first, degree: second })];
    case 'msup':
    case 'mover':
      return [new MathSuperScript({ children: first, superScript: second })];
    case 'msub':
    case 'munder':
      return [new MathSubScript({ children: first, subScript: second })];
    case 'msubsup':
    case 'munderover':
      return third && [new MathSubSuperScript({ children: first, subScript: second, superScript: third })];
    default:
      return undefined;
  }
}
