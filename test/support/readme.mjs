// Writes the tables of settings, commands, and keyboard shortcuts in the user guide from package.json, and the list of
// modules in src/README.md:
//   node test/support/readme.mjs
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'oxfmt';
import { readList } from './l10n.mjs';
import { root } from './paths.mjs';
import { folders, modules } from './import-order.mjs';

/**
 * @typedef {object} Setting
 * @property {string} [description]
 * @property {string} [markdownDescription]
 * @property {unknown} [default]
 */

/** READMEs below src/, relative to the project's root. */
export const sourceReadmes = globSync('src/**/README.md', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted();

/** The generated parts of each page, by name. */
const partsByPage = {
  'media/guide/settings.md': () => ({ settings: settingsTable(manifest()) }),
  'media/guide/commands.md': () => ({ commands: commandsTable(manifest()), keys: keysTable(manifest()) }),
  'src/README.md': () => ({ modules: modulesDrawing() }),
};

/** Pages with generated parts, from the project's root. */
export const readmes = Object.keys(partsByPage);

/**
 * Returns a README with its generated parts updated.
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function currentReadme(name) {
  const file = join(root, name);
  const parts = partsByPage[/** @type {keyof typeof partsByPage} */ (name)]();
  const text = Object.entries(parts).reduce(
    (filled, [part, content]) => fill(filled, name, part, content),
    readFileSync(file, 'utf8'),
  );
  return (await format(file, text, { printWidth: 110 })).code;
}

/** Returns what package.json contributes, with its English text. */
function manifest() {
  return withWords(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).contributes;
}

/** Lists the modules of src/ with their allowed imports and their folders. */
function modulesDrawing() {
  const lines = Object.entries(modules).flatMap(([module, imported]) => [
    `${`${module}/`.padEnd(12)} on ${imported.length === 0 ? 'libraries only' : imported.join(', ')}`,
    ...foldersDrawing(`src/${module}`, '  '),
  ]);
  return ['```text', ...lines, '```'].join('\n');
}

/**
 * Lists the folders of a folder with their subfolders, in their defined order if there is one.
 * @param {string} folder
 * @param {string} indent
 * @returns {string[]}
 */
function foldersDrawing(folder, indent) {
  const subfolders = foldersIn(folder);
  const order = folders[folder];
  // The page describes the parts that all features have.
  if (subfolders.length === 0 || folder.startsWith('src/features/')) return [];
  const named = (/** @type {string} */ name) => (name === '.' ? 'other files' : `${name}/`);
  return [
    `${indent}${order === undefined ? subfolders.map(named).join('  ') : order.map(named).join(' → ')}`,
    ...subfolders.flatMap((name) => {
      const within = foldersDrawing(`${folder}/${name}`, `${indent}  `);
      return within.length === 0 ? [] : [`${indent}${name}/`, ...within];
    }),
  ];
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
export function foldersIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/**
 * package.json with the English words in place of their keys.
 * @param {unknown} manifest
 */
function withWords(manifest) {
  const words = readList('package.nls.json');
  return JSON.parse(JSON.stringify(manifest), (_, value) =>
    typeof value === 'string' && /^%.+%$/.test(value) ? (words[value.slice(1, -1)] ?? value) : value,
  );
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} part
 * @param {string} content
 */
function fill(text, name, part, content) {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${name} has no place for the ${part}: ${begin} … ${end}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** @param {{ configuration: { properties: Record<string, Setting> }[] }} contributes */
function settingsTable({ configuration }) {
  const settings = configuration.flatMap(({ properties }) => Object.entries(properties));
  const rows = settings.map(([name, setting]) => {
    const shown = setting.default === '' ? 'empty' : `\`${JSON.stringify(setting.default)}\``;
    const description = setting.markdownDescription ?? setting.description ?? '';
    return [`\`${name}\``, shown, withPageLinks(description)];
  });
  return drawTable(['Setting', 'Default', 'Description'], rows);
}

/**
 * Links to pages of the guide instead of the command that opens them, and names other commands, which only VS Code can run.
 * @param {string} description
 */
function withPageLinks(description) {
  return description
    .replace(/\(command:openNotebook\.openGuide\?%5B%22([\w-]+)%22%5D\)/g, '($1.md)')
    .replace(/\[([^\]]+)\]\(command:[^)]+\)/g, '**$1**');
}

/**
 * @param {object} contributes
 * @param {{ command: string, title: string }[]} contributes.commands
 * @param {{ commandPalette: { command: string, when: string }[], 'webview/context': { command: string }[] } & Record<string, { command: string }[]>} contributes.menus
 * @param {{ command: string }[]} contributes.keybindings
 */
function commandsTable({ commands, menus, keybindings }) {
  const hidden = new Set(
    menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  const ofPages = new Set(menus['webview/context'].map(({ command }) => command));
  const inMenus = new Set(
    Object.entries(menus).flatMap(([menu, entries]) =>
      menu === 'commandPalette' ? [] : entries.map(({ command }) => command),
    ),
  );
  const ofKeys = new Set(keybindings.map(({ command }) => command));
  /** @param {string} command */
  const location = (command) => {
    if (!hidden.has(command)) return 'Command Palette';
    if (ofPages.has(command)) return 'Menu of a PDF';
    return ofKeys.has(command) && !inMenus.has(command) ? 'Keyboard' : 'Menu of an item';
  };
  const rows = commands.map(({ command, title }) => [title, location(command)]);
  return drawTable(['Command', 'Location'], rows);
}

/**
 * Lists the keys of our own commands. Editor commands with the same key revert their effect.
 * @param {object} contributes
 * @param {{ command: string, title: string }[]} contributes.commands
 * @param {{ command: string, key: string, mac?: string, when?: string }[]} contributes.keybindings
 */
function keysTable({ commands, keybindings }) {
  const rows = keybindings.flatMap(({ command, key, mac, when = '' }) => {
    const title = commands.find((one) => one.command === command)?.title;
    if (title === undefined) return [];
    const isUndone = keybindings.some(
      (other) => other.key === key && !commands.some((one) => one.command === other.command),
    );
    const view = /focusedView == openNotebook\.(\w)(\w+)/.exec(when);
    const where = view === null ? '' : ` (in the ${view[1]?.toUpperCase()}${view[2]} view)`;
    return [
      [
        `${title.replace('…', '')}${isUndone ? ', or close it' : ''}${where}`,
        writeKeys(key),
        writeKeys(mac ?? key),
      ],
    ];
  });
  return drawTable(['Action', 'Windows, Linux', 'macOS'], rows);
}

/** @param {string} chord */
function writeKeys(chord) {
  const named = chord.split(' ').map((keys) =>
    keys
      .split('+')
      .map((key) => key.charAt(0).toUpperCase() + key.slice(1))
      .join('+'),
  );
  return named.map((keys) => `\`${keys}\``).join(' ');
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function drawTable(head, rows) {
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const name of readmes) writeFileSync(join(root, name), await currentReadme(name));
