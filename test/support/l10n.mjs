// Updates the word lists in media/l10n from the code and package.json:
//   node test/support/l10n.mjs
// Translate the strings that it prints in the files of the other languages.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from './paths.mjs';

/** @typedef {Record<string, string>} Words */

const folder = join(root, 'media', 'l10n');

/** The languages, as VS Code names them, that everything is translated to. */
export const languages = ['zh-cn'];

/**
 * Returns the strings that the code passes to `t` or `vscode.l10n.t`, sorted, and the calls that can't be translated.
 * @returns {{ words: Words, problems: string[] }}
 */
export function wordsOfCode() {
  const files = globSync('{src,webview}/**/*.{ts,tsx}', { cwd: root }).sort();
  /** @type {Set<string>} */
  const found = new Set();
  const problems = files.flatMap((file) => readWords(file, readFileSync(join(root, file), 'utf8'), found));
  return { words: Object.fromEntries([...found].sort(byCode).map((words) => [words, words])), problems };
}

/**
 * Adds the strings of a file, and returns the calls that can't be translated.
 * @param {string} file
 * @param {string} code
 * @param {Set<string>} found
 */
export function readWords(file, code, found) {
  const source = ts.createSourceFile(
    file,
    code,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  /** @type {string[]} */
  const problems = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && /^(?:t|vscode\.l10n\.t)$/.test(node.expression.getText())) {
      const [first, ...values] = node.arguments;
      const problem = findProblem(node, first, values);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (problem !== undefined) problems.push(`${file}:${String(line + 1)}: ${problem}`);
      else if (first !== undefined && ts.isStringLiteralLike(first)) found.add(first.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/**
 * @param {ts.Node} call
 * @param {ts.Expression | undefined} first
 * @param {ts.Expression[]} values
 */
function findProblem(call, first, values) {
  if (first === undefined || !ts.isStringLiteralLike(first))
    return 'what is said must be one string, with {0}, {1}… for what changes';
  const places = new Set(placeholders(first.text));
  const isFilled =
    values.some(ts.isSpreadElement) ||
    [...places].sort().join() ===
      values
        .map((_, i) => `{${String(i)}}`)
        .sort()
        .join();
  if (!isFilled) return `“${first.text}” has other places than it is given values`;
  const isInFunction =
    call.getText().startsWith('vscode.') || ts.findAncestor(call, ts.isFunctionLike) !== undefined;
  return isInFunction ? undefined : 'this runs before the language is known: put it into a function';
}

/**
 * The places for values in words, in order: `{0}`, `{1}`.
 * @param {string} words
 */
export function placeholders(words) {
  return [...words.matchAll(/\{\d+\}/g)].map(([place]) => place).sort();
}

/**
 * Returns the strings of package.json that VS Code shows, by location, except the product's name.
 * @returns {[place: string, words: string][]}
 */
export function wordsOfManifest() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { description, capabilities, contributes } = manifest;
  return [
    ['description', description],
    ...shownIn(capabilities, 'capabilities'),
    ...shownIn(contributes, 'contributes'),
  ];
}

const shownFields =
  /^(?:title|name|fullName|description|markdownDescription|displayName|userDescription|contents|label|altText|sampleRequest|markdownDeprecationMessage|deprecationMessage|enumDescriptions|markdownEnumDescriptions|enumItemLabels|patternErrorMessage)$/;

/**
 * @param {unknown} value
 * @param {string} place
 * @param {string} [field] the field that it is the value of, or one of the values
 * @returns {[string, string][]}
 */
function shownIn(value, place, field = '') {
  if (typeof value === 'string')
    return shownFields.test(field) &&
      /[A-Z ]|%/.test(value) &&
      !/^(?:Open Notebook$|openNotebook)/.test(value)
      ? [[place, value]]
      : [];
  if (Array.isArray(value)) return value.flatMap((one, i) => shownIn(one, `${place}[${String(i)}]`, field));
  if (typeof value !== 'object' || value === null) return [];
  // Text that only models read isn't translated.
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'inputSchema' ? [] : shownIn(one, `${place}.${key}`, key),
  );
}

/**
 * @param {string} name
 * @returns {Words}
 */
export function readList(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/**
 * @param {string} name
 * @param {Words} words
 */
function writeList(name, words) {
  writeFileSync(join(folder, name), JSON.stringify(words, null, 2) + '\n');
}

/**
 * @param {string} a
 * @param {string} b
 */
function byCode(a, b) {
  return a < b ? -1 : 1;
}

/** Writes the English list, and removes unused strings from the other languages. */
function update() {
  const { words, problems } = wordsOfCode();
  writeList('bundle.l10n.json', words);
  const used = new Set(wordsOfManifest().map(([, shown]) => shown.slice(1, -1)));
  const lists = ['bundle.l10n', 'package.nls'].flatMap((name) => {
    const english = name === 'package.nls' ? readList(`${name}.json`) : words;
    if (name === 'package.nls')
      writeList(`${name}.json`, Object.fromEntries(Object.entries(english).filter(([key]) => used.has(key))));
    return languages.map((language) => ({
      file: `${name}.${language}.json`,
      english: readList(`${name}.json`),
    }));
  });
  for (const { file, english } of lists) {
    const translated = readList(file);
    const keys = Object.keys(english);
    writeList(
      file,
      Object.fromEntries(
        keys.flatMap((key) => (translated[key] === undefined ? [] : [[key, translated[key]]])),
      ),
    );
    for (const key of keys.filter((one) => translated[one] === undefined))
      problems.push(`media/l10n/${file}: to be translated: ${JSON.stringify(english[key])}`);
  }
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) update();
