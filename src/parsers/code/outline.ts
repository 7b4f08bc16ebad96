import type { Node } from '@vscode/tree-sitter-wasm';
import type { Heading } from '../../core/domain/document.ts';
import { readDeclaration, isLeadIn, isTransparent } from './declarations.ts';
import { forgetGrammars, loadParser } from './grammars.ts';
import { indentedOutline } from './indented.ts';

/** Maximum parsing time before falling back to the lines alone, in milliseconds. */
const TIMEOUT_MS = 2_000;

/**
 * Maximum length of a text, in UTF-16 code units, and maximum average line length. Beyond, the code is
 * machine-generated.
 */
const MAX_TEXT_LENGTH = 2_000_000;
const MAX_LINE_LENGTH = 250;

const MAX_HEADINGS = 20_000;

/** Maximum nesting depth of declarations. */
const MAX_DEPTH = 12;

/**
 * Returns the classes, functions, and methods of a piece of code as headings, each with its comments; a heading without
 * a title ends the previous section. Uses the language's syntax if there is a grammar, else keywords and indentation.
 * Machine-generated code has no headings. `time` is the maximum parsing time in milliseconds.
 */
export async function readOutline(text: string, languageId: string, time = TIMEOUT_MS): Promise<Heading[]> {
  if (text.length > MAX_TEXT_LENGTH || isMinified(text)) return [];
  try {
    const bySyntax = await syntaxOutline(text, languageId, performance.now() + time);
    if (bySyntax !== undefined) return bySyntax;
  } catch {
    // The parser ran out of stack or memory on a malicious file.
    forgetGrammars();
  }
  return indentedOutline(text, languageId, MAX_HEADINGS);
}

function isMinified(text: string): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > MAX_LINE_LENGTH && text.length > 10 * MAX_LINE_LENGTH;
}

/** Returns the headings by syntax; undefined without a grammar or after a timeout. */
async function syntaxOutline(
  text: string,
  languageId: string,
  deadline: number,
): Promise<Heading[] | undefined> {
  const parser = await loadParser(languageId);
  if (parser === undefined) return undefined;
  const late = (): boolean => performance.now() > deadline;
  const tree = parser.parse(text, null, { progressCallback: late });
  try {
    if (tree === null) return undefined;
    const outline = new Outline(text, late);
    outline.visit(tree.rootNode, 1);
    return outline.complete ? outline.headings : undefined;
  } finally {
    tree?.delete();
    parser.delete();
  }
}

/** Collector of headings from the declarations of a syntax tree. */
class Outline {
  readonly headings: Heading[] = [];
  complete = true;
  readonly #text: string;
  readonly #late: () => boolean;
  /** `true` if the next statement could look like a part of the declaration before it. */
  #afterDeclaration = false;

  constructor(text: string, late: () => boolean) {
    this.#text = text;
    this.#late = late;
  }

  visit(parent: Node, level: number, depth = 0): void {
    if (depth > MAX_DEPTH) return;
    let leadIn = this.#findLeadIn(parent);
    let previousEnd = parent.startIndex;
    for (const child of parent.namedChildren) {
      if (child === null) continue;
      if (this.#late() || this.headings.length >= MAX_HEADINGS) {
        this.complete = false;
        return;
      }
      const { startIndex, endIndex } = child;
      const belongs = leadIn !== undefined && !/\n\s*\n/.test(this.#text.slice(leadIn.end, startIndex));
      const start = belongs && leadIn !== undefined ? leadIn.start : startIndex;
      if (isLeadIn(child)) {
        // A comment at the end of a line belongs to that line.
        const trails =
          child.type.includes('comment') &&
          this.headings.length > 0 &&
          !this.#text.slice(previousEnd, startIndex).includes('\n');
        if (belongs || !trails) leadIn = { start, end: endIndex };
      } else {
        leadIn = undefined;
        if (isTransparent(child)) this.visit(child, level, depth + 1);
        else this.#take(child, start, level, depth);
      }
      previousEnd = endIndex;
    }
  }

  /** Returns the comment that some grammars put before a body instead of at its start. */
  #findLeadIn(body: Node): { readonly start: number; readonly end: number } | undefined {
    const before = body.previousNamedSibling;
    if (before === null || !isLeadIn(before)) return undefined;
    const { startIndex: start, endIndex: end } = before;
    const line = this.#text.lastIndexOf('\n', start - 1) + 1;
    return this.#text.slice(line, start).trim() === '' ? { start, end } : undefined;
  }

  #take(node: Node, start: number, level: number, depth: number): void {
    const declaration = readDeclaration(node);
    if (declaration !== undefined) {
      this.#add(start, level, declaration.title);
      this.#afterDeclaration = false;
      if (declaration.body !== undefined) this.visit(declaration.body, level + 1, depth + 1);
      this.#afterDeclaration = true;
    } else if (this.#afterDeclaration) {
      this.#add(start, level, '');
      this.#afterDeclaration = false;
    }
  }

  #add(start: number, level: number, title: string): void {
    const line = this.#text.lastIndexOf('\n', start - 1) + 1;
    const offset = this.#text.slice(line, start).trim() === '' ? line : start;
    this.headings.push({ offset, level, title });
  }
}
