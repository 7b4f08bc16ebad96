import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { roomsRule } from './test/support/rooms.mjs';

const noEditor = { name: 'vscode', message: 'Only src/editor/ and src/extension.ts import vscode.' };

const message =
  "What users read is said by t('…{0}…', value) of @vscode/l10n (vscode.l10n.t in src/editor); then run node test/support/l10n.mjs.";
const words = ':matches(Literal[value=/[ .…]/], TemplateLiteral)';
const shownAttribute = 'JSXAttribute[name.name=/^(?:alt|aria-label|label|placeholder|title)$/]';

/** Words that no translation would reach. */
const untranslated = [
  `NewExpression[callee.name="NotebookError"] > ${words}`,
  `NewExpression[callee.name="NotebookError"] > ConditionalExpression > ${words}`,
  'JSXElement > JSXText[value=/\\p{L}{2}/u]',
  `${shownAttribute} > Literal`,
  `${shownAttribute} > JSXExpressionContainer > TemplateLiteral`,
  `${shownAttribute} > JSXExpressionContainer > ConditionalExpression > :matches(Literal, TemplateLiteral)`,
].map((selector) => ({ selector, message }));

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.vscode-test/', 'test-results/', 'test/fixtures/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './webview/tsconfig.json', './test/tsconfig.json'] },
    },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreVoidReturningFunctions: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**', 'webview/**'],
    // What a model is told stays English.
    ignores: [
      'src/**/notebook-tools.ts',
      'src/mcp/**',
      'src/researching/skills/**',
      '!src/researching/skills/skill-file.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...untranslated] },
  },
  {
    files: ['src/**'],
    // Models are where the user's settings say; all else is where a source says.
    ignores: ['src/editor/models/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'What sources name is asked for by guardedFetch of src/reading/web.' },
      ],
    },
  },
  {
    files: ['src/**'],
    plugins: { rooms: { rules: { order: roomsRule } } },
    rules: { 'rooms/order': 'error' },
  },
  {
    files: ['src/**'],
    ignores: ['src/editor/**', 'src/extension.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [noEditor] }] },
  },
  {
    files: ['webview/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [noEditor],
          patterns: [
            {
              regex: 'src/(?!language/|messages/|notebook/)',
              message: 'A webview shares only messages, domain types and rules of language.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // node:test's `test` and `describe` return promises that its runner awaits.
      '@typescript-eslint/no-floating-promises': 'off',
    },
  },
);
