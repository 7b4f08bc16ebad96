// Our own lint rules: for imports between modules, for translatable strings, for names, and for doc comments of exported
// functions.
import { dirname, join, relative } from 'node:path';
import { whyClosed } from './import-order.mjs';

/**
 * @typedef {{ readonly type: string, readonly source?: { readonly value?: unknown } | null }} Node
 * @typedef {{ readonly cwd: string, readonly filename: string, report(problem: { node: Node, message: string }): void }} Context
 */

const untranslated =
  "Translate what users see with t('…{0}…', value) of @vscode/l10n, or with vscode.l10n.t in files that import vscode. Then run node test/support/l10n.mjs.";
const words = ':matches(Literal[value=/[ .…]/], TemplateLiteral)';
const shownAttribute = 'JSXAttribute[name.name=/^(?:alt|aria-label|label|placeholder|title)$/]';

/** Places of strings that no translation would reach. */
const UNTRANSLATED = [
  `NewExpression[callee.name="NotebookError"] > ${words}`,
  `NewExpression[callee.name="NotebookError"] > ConditionalExpression > ${words}`,
  'JSXElement > JSXText[value=/\\p{L}{2}/u]',
  `${shownAttribute} > Literal`,
  `${shownAttribute} > JSXExpressionContainer > TemplateLiteral`,
  `${shownAttribute} > JSXExpressionContainer > ConditionalExpression > :matches(Literal, TemplateLiteral)`,
];

/** Places of a module's constants. */
const CONSTANTS = [
  'Program > VariableDeclaration[kind="const"] > VariableDeclarator',
  'Program > ExportNamedDeclaration > VariableDeclaration[kind="const"] > VariableDeclarator',
].join(', ');
const COLLECTIONS = ['Map', 'RegExp', 'Set'];

/** Names that don't say what a value is. */
const VAGUE_NAMES = [
  'asked',
  'given',
  'kept',
  'made',
  'madeAt',
  'madeOf',
  'matrices',
  'taken',
  'things',
  'told',
  'wanted',
];

/** Words of a name that don't say what a value is, as in `keptTexts` and `LOG_KEPT`. */
const VAGUE_WORDS =
  /^(?:asked|given|kept|made|things|told|wanted)(?![a-z])|(?:^|[a-z\d])(?:Asked|Given|Kept|Made|Things|Told|Wanted)(?![a-z])|(?:^|_)(?:ASKED|GIVEN|KEPT|MADE|THINGS|TOLD|WANTED)(?:_|$)/;

/** Names of stored values, and the standard name of a part of a person's name. */
const STANDARD_NAMES = ['addAskedFile', 'askedAt', 'askedBy', 'givenName', 'keptAt'];

/** Places where a name is declared. Keys of object literals belong to a type or to a stored format. */
const DECLARED = [
  '[type=/VariableDeclarator|Function|^Class|^TS(?:Interface|TypeAlias)/] > .id',
  '[type=/Function|Signature|ConstructorType/] > .params',
  '[type=/(?:Property|Method)(?:Definition|Signature)$|AccessorProperty$/] > .key',
  '[type=/^Import.*Specifier$/] > .local',
  'ObjectPattern > Property > .value',
  'ArrayPattern > .elements',
  'AssignmentPattern > .left',
  'RestElement > .argument',
  'CatchClause > .param',
  'TSNamedTupleMember > .label',
];

/**
 * Reports whether an expression is fixed data: literals, and lists, objects, sets, maps, and patterns of these, such as
 * `new Set(['a', 'b'])` or `2 * MAX_LENGTH`.
 * @param {any} node
 * @returns {boolean}
 */
function isData(node) {
  switch (node?.type) {
    case 'Literal':
      return true;
    case 'Identifier':
      return /^[A-Z][A-Z\d_]*$/.test(node.name);
    case 'MemberExpression':
      return isData(node.object);
    case 'UnaryExpression':
    case 'SpreadElement':
      return isData(node.argument);
    case 'BinaryExpression':
      return isData(node.left) && isData(node.right);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isData(node.expression);
    case 'TemplateLiteral':
      return node.expressions.every(isData);
    case 'ArrayExpression':
      return node.elements.every(isData);
    case 'ObjectExpression':
      return node.properties.every((/** @type {any} */ each) => isData(each.value ?? each));
    case 'NewExpression':
      return (
        COLLECTIONS.includes(node.callee.name) && node.arguments.length > 0 && node.arguments.every(isData)
      );
    default:
      return false;
  }
}

export default {
  meta: { name: 'notebook' },
  rules: {
    'import-order': {
      /** @param {Context} context */
      create(context) {
        const file = relative(context.cwd, context.filename);
        /** @param {Node} node */
        const check = (node) => {
          const path = node.source?.value;
          if (typeof path !== 'string') return;
          const why = whyClosed(file, path.startsWith('.') ? join(dirname(file), path) : path);
          if (why !== undefined) context.report({ node, message: why });
        };
        return {
          ImportDeclaration: check,
          ExportNamedDeclaration: check,
          ExportAllDeclaration: check,
          ImportExpression: check,
        };
      },
    },
    constants: {
      /** @param {Context} context */
      create(context) {
        if (!/^(?:src|webview)\//.test(relative(context.cwd, context.filename).replaceAll('\\', '/')))
          return {};
        return {
          /** @param {any} node */
          [CONSTANTS](node) {
            // A capitalized name is already a constant, or represents a type: `RunDirection.leftToRight`.
            if (node.id.type !== 'Identifier' || /^[A-Z]/.test(node.id.name) || !isData(node.init)) return;
            context.report({ node, message: 'Name a constant of fixed data in CAPITALS.' });
          },
        };
      },
    },
    names: {
      /** @param {Context} context */
      create(context) {
        const isTest = /^test[/\\]/.test(relative(context.cwd, context.filename));
        /** @param {any} node */
        const check = (node) => {
          if (!/Identifier$/.test(node.type)) return;
          const { name } = node;
          const isVague =
            VAGUE_NAMES.includes(name) ||
            (!isTest && VAGUE_WORDS.test(name) && !STANDARD_NAMES.includes(name));
          if (isVague)
            context.report({ node, message: `Name what the value holds: “${name}” doesn’t say it.` });
        };
        return Object.fromEntries(DECLARED.map((selector) => [selector, check]));
      },
    },
    documented: {
      /** @param {any} context */
      create(context) {
        /** @param {any} node */
        const isDocumented = (node) =>
          context.sourceCode
            .getCommentsBefore(node)
            .some((/** @type {any} */ { type, value }) => type === 'Block' && value.startsWith('*'));
        return {
          /** @param {any} node */
          ExportNamedDeclaration(node) {
            const { declaration } = node;
            const isFunction =
              declaration?.type === 'FunctionDeclaration' ||
              (declaration?.type === 'VariableDeclaration' &&
                declaration.declarations.some((/** @type {any} */ { init }) => /Function/.test(init?.type)));
            if (isFunction && !isDocumented(node))
              context.report({ node, message: 'An exported function says in a doc comment what it does.' });
          },
        };
      },
    },
    translated: {
      /** @param {Context} context */
      create: (context) =>
        Object.fromEntries(
          UNTRANSLATED.map((selector) => [
            selector,
            (/** @type {Node} */ node) => {
              context.report({ node, message: untranslated });
            },
          ]),
        ),
    },
  },
};
