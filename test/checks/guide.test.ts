import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { readList } from '../support/l10n.mjs';
import { root } from '../support/paths.mjs';

interface Manifest {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

const MAX_README_LINES = 200;
const GUIDE = 'media/guide';
const INDEX = `${GUIDE}/README.md`;

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: Manifest;
};
const manifestText = readList('package.nls.json');
const codeText = Object.keys(readList('bundle.l10n.json'));

const guidePages = listPages(`${GUIDE}/*.md`);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...guidePages,
  ...listPages('media/sample/*.md'),
];
const titles = new Map(
  contributes.commands.map(({ command, title }) => [command, manifestText[title.slice(1, -1)] ?? title]),
);
const hiddenCommands = new Set(
  contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
);
const paletteTitles = new Set(
  [...titles].filter(([command]) => !hiddenCommands.has(command)).map(([, title]) => title),
);

/** Labels that a user can see: titles of commands, views, and links, and strings of the code without their counts. */
const labels = new Set([
  ...titles.values(),
  ...codeText.map((text) => text.replace(' ({0})', '')),
  ...Object.entries(manifestText).flatMap(([key, text]) => (key.startsWith('view.') ? [text] : [])),
  ...Object.values(manifestText).flatMap((text) => linksIn(text).map(({ label }) => label)),
  'Open Notebook',
]);

describe('names of commands', () => {
  for (const page of pages)
    test(`exist in the product: ${page}`, () => {
      assert.deepEqual(
        boldText(page).filter((text) => !isKnown(text)),
        [],
        'Bold text in the guide is a label of the product, or begins a list item and ends in a colon.',
      );
    });

  test('exist if a string of the product quotes or emphasizes them', () => {
    const quoted = [...codeText, ...Object.values(manifestText)].flatMap((text) =>
      [...text.matchAll(/(?:“|\*)([^”*{}]+)(?:”|\*)/g)].map(([, name = '']) => name),
    );
    const names = quoted.filter((name) => name.endsWith('…') || /^(?:[A-Z][a-z]+ )+[A-Z][a-z]+$/.test(name));
    assert.ok(names.length > 10);
    assert.deepEqual(
      names.filter((name) => !labels.has(name)),
      [],
    );
  });

  test('exist if a link of the walkthrough, a view, or a setting runs them', () => {
    const links = Object.values(manifestText).flatMap((text) => linksIn(text).map(({ target }) => target));
    const commands = links.flatMap((target) => /^command:([\w.]+)/.exec(target)?.[1] ?? []);
    assert.ok(commands.length > 10);
    assert.deepEqual(
      commands.filter((command) => !titles.has(command)),
      [],
    );
    for (const target of links) {
      const [, page] = /openGuide\?(.+)$/.exec(target) ?? [];
      if (page === undefined) continue;
      const [name] = JSON.parse(decodeURIComponent(page)) as readonly string[];
      assert.ok(guidePages.includes(`${GUIDE}/${String(name)}.md`), target);
    }
  });
});

describe('README.md and the user guide', () => {
  test('link only to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      linksIn(read(page)).flatMap(({ target }) => {
        if (/^\w+:/.test(target)) return [];
        const [path = '', heading] = target.split('#');
        const file = join(dirname(page), path || basename(page));
        const isFound = existsSync(join(root, file)) && (heading === undefined || hasHeading(file, heading));
        return isFound ? [] : [`${page}: ${target}`];
      }),
    );
    assert.deepEqual(broken, []);
  });

  test('reach every page from the index', () => {
    const linked = new Set(linksIn(read(INDEX)).map(({ target }) => `${GUIDE}/${target}`));
    assert.deepEqual(
      guidePages.filter((page) => page !== INDEX && !linked.has(page)),
      [],
    );
  });

  test('name only settings that exist', () => {
    const settings = new Set(contributes.configuration.flatMap(({ properties }) => Object.keys(properties)));
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/`"?(openNotebook\.[\w.]+)"?/g)]
        .map(([, name = '']) => name)
        .filter((name) => !settings.has(name)),
    );
    assert.deepEqual(unknown, []);
  });

  test(`have a README of at most ${String(MAX_README_LINES)} lines`, () => {
    assert.ok(read('README.md').split('\n').length <= MAX_README_LINES);
  });
});

function listPages(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** Returns bold text outside of code, without the lead-ins of list items. */
function boldText(page: string): string[] {
  const text = read(page)
    .replaceAll(/```[^`]*```/g, '')
    .replaceAll(/`[^`\n]*`/g, '');
  return text.split('\n').flatMap((line) =>
    [...line.matchAll(/\*\*([^*]+)\*\*(:?)/g)]
      .filter(({ index, 2: colon }) => {
        // The features in README.md begin with the feature, not with a label.
        const isLeadIn = /^\s*- $/.test(line.slice(0, index)) && (colon !== '' || page === 'README.md');
        return !isLeadIn;
      })
      .map(([, bold = '']) => bold),
  );
}

function isKnown(text: string): boolean {
  const [, command] = /^Open Notebook: (.+)$/.exec(text) ?? [];
  return command === undefined ? labels.has(text) : paletteTitles.has(command);
}

function linksIn(text: string): { readonly label: string; readonly target: string }[] {
  return [...text.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(([, label = '', target = '']) => ({
    label,
    target,
  }));
}

function hasHeading(file: string, heading: string): boolean {
  const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  return anchors.includes(heading);
}
