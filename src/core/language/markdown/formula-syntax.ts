import type { Extension as FromMarkdown } from 'mdast-util-from-markdown';
import type { Position } from 'unist';
import type { Construct, Extension, Point, State, Tokenizer } from 'micromark-util-types';
import {
  FormulaScan,
  partsOfFormula,
  type FormulaOptions,
  type FormulaParts,
  type FoundFormula,
} from './formula-scan.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formula: 'formula';
    formulaData: 'formulaData';
  }
}

/** A formula of a Markdown text. */
export interface FormulaNode extends FormulaParts {
  readonly type: 'formula';
  readonly position?: Position;
}

declare module 'mdast' {
  interface RootContentMap {
    formula: FormulaNode;
  }
  interface PhrasingContentMap {
    formula: FormulaNode;
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;

/** Returns the syntax extension for the formulas of one text. */
export function formulaSyntax(source: string, options: FormulaOptions): Extension {
  const scan = new FormulaScan(source, options);
  const text: Construct = { name: 'formula', tokenize: tokenizer((at) => scan.inText(at), false) };
  const flow: Construct = {
    name: 'formulaLines',
    // Lines in a formula aren't lists, quotes, or headings.
    concrete: true,
    tokenize: tokenizer((at) => scan.onLines(at), true),
  };
  return {
    text: { [DOLLAR]: text, [BACKSLASH]: text },
    flow: { [DOLLAR]: flow, [BACKSLASH]: flow },
  };
}

/** Consumes the characters of the formula at the current position. */
function tokenizer(find: (at: number) => FoundFormula | undefined, isFlow: boolean): Tokenizer {
  return function (effects, ok, nok) {
    const { parser, interrupt } = this;
    const currentPoint = (): Point => this.now();
    const formula = find(currentPoint().offset);
    const nextLine: Construct = {
      partial: true,
      tokenize: (inner, isOwn, isLazy) => (code) => {
        inner.enter('lineEnding');
        inner.consume(code);
        inner.exit('lineEnding');
        return (first) => (parser.lazy[currentPoint().line] === true ? isLazy(first) : isOwn(first));
      },
    };
    const between: State = (code) => {
      if (formula === undefined) return nok(code);
      if (currentPoint().offset >= formula.end) {
        effects.exit('formula');
        return ok(code);
      }
      if (code === null) return nok(code);
      if (code < -2) return effects.attempt(nextLine, between, nok)(code);
      effects.enter('formulaData');
      return data(code);
    };
    const data: State = (code) => {
      if (code === null || code < -2 || currentPoint().offset >= (formula?.end ?? 0)) {
        effects.exit('formulaData');
        return between(code);
      }
      effects.consume(code);
      return data;
    };
    return (code) => {
      if (formula === undefined) return nok(code);
      if (isFlow && interrupt === true) return ok(code);
      effects.enter('formula');
      return between(code);
    };
  };
}

/** Converts the formulas that `formulaSyntax` found to nodes. */
export const formulaFromMarkdown: FromMarkdown = {
  enter: {
    formula(token) {
      this.enter({ type: 'formula', tex: '', written: '', isDisplayed: false, isClosed: false }, token);
      this.buffer();
    },
  },
  exit: {
    formulaData(token) {
      this.config.enter['data']?.call(this, token);
      this.config.exit['data']?.call(this, token);
    },
    formula(token) {
      const parts = partsOfFormula(this.resume());
      const node = this.stack.at(-1);
      if (node?.type === 'formula') Object.assign(node, parts);
      this.exit(token);
    },
  },
};
