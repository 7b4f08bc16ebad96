// Rules of our own for the linter: which rooms may import which, and that what users read can be translated.
import { dirname, join, relative } from 'node:path';
import { whyClosed } from './rooms.mjs';

/**
 * @typedef {{ readonly type: string, readonly source?: { readonly value?: unknown } | null }} Node
 * @typedef {{ readonly cwd: string, readonly filename: string, report(problem: { node: Node, message: string }): void }} Context
 */

const untranslated =
  "What users read is said by t('…{0}…', value) of @vscode/l10n (vscode.l10n.t in src/editor); then run node test/support/l10n.mjs.";
const words = ':matches(Literal[value=/[ .…]/], TemplateLiteral)';
const shownAttribute = 'JSXAttribute[name.name=/^(?:alt|aria-label|label|placeholder|title)$/]';

/** Where words stand that no translation would reach. */
const UNTRANSLATED = [
  `NewExpression[callee.name="NotebookError"] > ${words}`,
  `NewExpression[callee.name="NotebookError"] > ConditionalExpression > ${words}`,
  'JSXElement > JSXText[value=/\\p{L}{2}/u]',
  `${shownAttribute} > Literal`,
  `${shownAttribute} > JSXExpressionContainer > TemplateLiteral`,
  `${shownAttribute} > JSXExpressionContainer > ConditionalExpression > :matches(Literal, TemplateLiteral)`,
];

export default {
  meta: { name: 'notebook' },
  rules: {
    rooms: {
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
