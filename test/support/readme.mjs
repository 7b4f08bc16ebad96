// Writes the README's tables of settings and commands from package.json:
//   node test/support/readme.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { readList } from './l10n.mjs';
import { root } from './paths.mjs';

/**
 * @typedef {object} Setting
 * @property {string} [description]
 * @property {string} [markdownDescription]
 * @property {unknown} [default]
 */

const readmeFile = join(root, 'README.md');

/**
 * The README with its tables brought up to date, whatever they say now.
 * @returns {Promise<string>}
 */
export async function currentReadme() {
  const { contributes } = withWords(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const readme = readFileSync(readmeFile, 'utf8');
  const tables = {
    settings: settingsTable(contributes),
    commands: commandsTable(contributes),
    keys: keysTable(contributes),
  };
  const filled = Object.entries(tables).reduce((text, [name, table]) => fill(text, name, table), readme);
  return format(filled, { filepath: readmeFile, printWidth: 110 });
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
 * @param {string} readme
 * @param {string} name
 * @param {string} table
 */
function fill(readme, name, table) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no place for the ${name}: ${begin} … ${end}.`);
  return `${readme.slice(0, from + begin.length)}\n\n${table}\n\n${readme.slice(to)}`;
}

/** @param {{ configuration: { properties: Record<string, Setting> }[] }} contributes */
function settingsTable({ configuration }) {
  const settings = configuration.flatMap(({ properties }) => Object.entries(properties));
  const rows = settings.map(([name, setting]) => {
    const shown = setting.default === '' ? 'empty' : `\`${JSON.stringify(setting.default)}\``;
    const description = setting.markdownDescription ?? setting.description ?? '';
    // Only the editor can follow a link to a command.
    return [`\`${name}\``, shown, description.replace(/\[([^\]]+)\]\(command:[^)]+\)/g, '_$1_')];
  });
  return tableOf(['setting', 'default', 'what it does'], rows);
}

/**
 * @param {object} contributes
 * @param {{ command: string, title: string }[]} contributes.commands
 * @param {{ commandPalette: { command: string, when: string }[] }} contributes.menus
 */
function commandsTable({ commands, menus }) {
  const hidden = new Set(
    menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  const rows = commands.map(({ command, title }) => [
    title,
    hidden.has(command) ? 'a source’s menu' : 'command palette',
  ]);
  return tableOf(['Open Notebook: …', 'found in'], rows);
}

/**
 * The keys of our own commands; those of the editor's that share a key with one undo what it did.
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
        keysOf(key),
        keysOf(mac ?? key),
      ],
    ];
  });
  return tableOf(['what', 'Windows, Linux', 'macOS'], rows);
}

/** @param {string} chord */
function keysOf(chord) {
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
function tableOf(head, rows) {
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(readmeFile, await currentReadme());
