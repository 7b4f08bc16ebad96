import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A regular expression of the shipped code. */
export interface Pattern {
  /** Relative to the root of the project, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** Call of `new RegExp` with parts that are known only at run time. */
interface GeneratedPattern {
  readonly file: string;
  readonly line: number;
  /** The call as it is written, on one line. */
  readonly written: string;
}

interface PatternsOfFolders {
  readonly patterns: readonly Pattern[];
  readonly generated: readonly GeneratedPattern[];
}

/**
 * Finds every regular expression in some folders: the literals, and those that `new RegExp` creates from constants,
 * wherever these are declared.
 *
 * @param root parent of the folders, to which file names are relative
 */
export function findPatterns(root: string, folders: readonly string[]): PatternsOfFolders {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
      .map((name) => join(root, folder, name)),
  );
  const program = ts.createProgram(files, {
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, noEmit: true, noLib: true, types: [] },
    ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true },
    // Loads only these files, as constants don't need the types of a library.
    ...{ jsx: ts.JsxEmit.ReactJSX, noResolve: true },
  });
  const checker = program.getTypeChecker();
  const patterns: Pattern[] = [];
  const foundPatterns: GeneratedPattern[] = [];
  for (const path of files) {
    const tree = program.getSourceFile(path);
    if (tree === undefined) throw new Error(`${path} cannot be read.`);
    const file = relative(root, path).split(sep).join('/');
    const visit = (node: ts.Node): void => {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      const literal = readPattern(node);
      if (literal !== undefined) patterns.push({ file, line, ...literal });
      else if (isMaking(node)) {
        const [source, flags] = node.arguments ?? [];
        const words = findValue(source, checker);
        const signs = flags === undefined ? '' : findValue(flags, checker);
        if (words === undefined || signs === undefined)
          foundPatterns.push({ file, line, written: node.getText(tree).replaceAll(/\s+/g, ' ') });
        else patterns.push({ file, line, source: words, flags: signs });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return { patterns, generated: foundPatterns };
}

function isMaking(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}

function readPattern(node: ts.Node): { source: string; flags: string } | undefined {
  if (!ts.isRegularExpressionLiteral(node)) return undefined;
  const end = node.text.lastIndexOf('/');
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
}

/** Returns the text of an expression of constants. */
function findValue(node: ts.Node | undefined, checker: ts.TypeChecker): string | undefined {
  if (node === undefined) return undefined;
  const all = (parts: readonly ts.Node[]): string[] | undefined => {
    const values = parts.map((part) => findValue(part, checker));
    return values.every((value) => value !== undefined) ? values : undefined;
  };
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return findValue(node.expression, checker);
  if (ts.isTemplateExpression(node)) {
    const spans = all(node.templateSpans.map(({ expression }) => expression));
    return spans && node.head.text + spans.map((value, i) => value + literalBefore(node, i).text).join('');
  }
  if (ts.isTaggedTemplateExpression(node)) {
    if (node.tag.getText() !== 'String.raw') return undefined;
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText;
    const spans = all(template.templateSpans.map(({ expression }) => expression));
    const raw = (value: string, i: number): string => value + (literalBefore(template, i).rawText ?? '');
    return spans === undefined ? undefined : (template.head.rawText ?? '') + spans.map(raw).join('');
  }
  if (ts.isBinaryExpression(node)) {
    const sides = all([node.left, node.right]);
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken) return sides?.join('');
    const product = node.operatorToken.kind === ts.SyntaxKind.AsteriskToken;
    return product && sides ? String(Number(sides[0]) * Number(sides[1])) : undefined;
  }
  if (ts.isCallExpression(node)) return ofCall(node, checker);
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return readPattern(declared(node.expression, checker) ?? node.expression)?.source;
  const declaration = declared(node, checker);
  return declaration && findValue(declaration, checker);
}

function literalBefore(
  { templateSpans }: ts.TemplateExpression,
  i: number,
): ts.TemplateMiddle | ts.TemplateTail {
  const span = templateSpans[i];
  if (span === undefined) throw new RangeError('A template has no such span.');
  return span.literal;
}

/**
 * Returns the value of `String(constant)`, or of a joined list of constants: `['a', 'b'].join('|')`, `'a b'.split('
 * ').join('|')`.
 */
function ofCall(
  { expression, arguments: [argument] }: ts.CallExpression,
  checker: ts.TypeChecker,
): string | undefined {
  if (ts.isIdentifier(expression) && expression.text === 'String') return findValue(argument, checker);
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join') return undefined;
  const list = declared(expression.expression, checker) ?? expression.expression;
  const between = findValue(argument, checker);
  return between === undefined ? undefined : elements(list, checker)?.join(between);
}

/** The texts of a list of constants, or of a constant that is split. */
function elements(list: ts.Expression, checker: ts.TypeChecker): readonly string[] | undefined {
  if (ts.isArrayLiteralExpression(list)) {
    const values = list.elements.map((element) => findValue(element, checker));
    return values.every((value) => value !== undefined) ? values : undefined;
  }
  if (!ts.isCallExpression(list) || !ts.isPropertyAccessExpression(list.expression)) return undefined;
  if (list.expression.name.text !== 'split') return undefined;
  const between = findValue(list.arguments[0], checker);
  return between === undefined ? undefined : findValue(list.expression.expression, checker)?.split(between);
}

/** Returns the initializer of a constant. */
function declared(node: ts.Node, checker: ts.TypeChecker): ts.Expression | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  return ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const ? declaration.initializer : undefined;
}
