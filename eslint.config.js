import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Forbids a room to import the named other rooms. */
const closedTo = (...rooms) => ({
  regex: `^(\\.\\./)+(${rooms.join('|')})/`,
  message: 'This room must not import that one.',
});
const noEditor = { name: 'vscode', message: 'Only src/editor/ and src/extension.ts import vscode.' };

const room = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { paths: [noEditor], patterns }] },
});

/** The folders of src/editor, each of which may import those before it and what stands beside them. */
const editorFolders = 'models pdf sources notebooks notes citations agents chat commands'.split(' ');
const editorFolder = (folder, index) => ({
  files: [`src/editor/${folder}/**`],
  rules: { 'no-restricted-imports': ['error', { patterns: [closedTo(...editorFolders.slice(index + 1))] }] },
});

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
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**', 'webview/**'],
    // What a model is told stays English.
    ignores: ['src/**/notebook-tools.ts', 'src/mcp/**'],
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
  room(['src/notebook/**'], [closedTo('answering', 'editor', 'indexing', 'meaning', 'messages', 'reading')]),
  room(['src/messages/**'], [closedTo('answering', 'editor', 'indexing', 'meaning', 'reading')]),
  room(['src/reading/**'], [closedTo('answering', 'editor', 'indexing', 'meaning')]),
  room(['src/indexing/**'], [closedTo('answering', 'editor', 'meaning', 'reading')]),
  room(['src/answering/**'], [closedTo('editor', 'indexing', 'meaning', 'reading')]),
  room(['src/meaning/**'], [closedTo('answering', 'editor', 'indexing', 'reading')]),
  room(['src/mcp/**'], [closedTo('meaning', 'reading')]),
  ...editorFolders.slice(0, -1).map(editorFolder),
  {
    files: ['src/editor/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^\\./[^/]+/', message: 'What all folders may import imports none of them.' }],
        },
      ],
    },
  },
  room(
    ['webview/**'],
    [{ regex: 'src/(?!messages/|notebook/)', message: 'A webview shares only messages and domain types.' }],
  ),
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
