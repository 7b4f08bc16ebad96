import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/paths.mjs';

interface Manifest {
  readonly configuration: readonly {
    readonly properties: Readonly<Record<string, { readonly scope: string }>>;
  }[];
  readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
  readonly menus: Readonly<
    Record<
      string,
      readonly {
        readonly command?: string;
        readonly submenu?: string;
        readonly group?: string;
        readonly when?: string;
      }[]
    >
  >;
  readonly views: {
    readonly openNotebook: readonly {
      readonly id: string;
      readonly visibility?: string;
      readonly when?: string;
    }[];
  };
  readonly submenus: readonly { readonly id: string }[];
  readonly keybindings: readonly {
    readonly command: string;
    readonly key: string;
    readonly mac?: string;
    readonly when?: string;
  }[];
  readonly walkthroughs: readonly {
    readonly steps: readonly { readonly media: { readonly svg: string } }[];
  }[];
}

const { activationEvents, capabilities, contributes } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: Manifest;
};
const { commands, configuration, menus, submenus, keybindings, walkthroughs } = contributes;
const ours = new Set(commands.map(({ command }) => command));

/** Commands that work in every window, with or without sources. */
const always = new Set(
  `addClipboard addFiles addSite addText addWebPage addWork ask chooseRecognitionLanguages connectTeam copyMcpConfiguration duplicateNotebook exportMarkdown exportNotebook
  filterNotes findByMeaning importKnowledgeBase importNotebook manageEndpoints newConversation newNote newNotebook openChat openChatInEditor openChatInNewWindow openSettings
  openGuide openWalkthrough pickModel quizModels removeApiKey renameNotebook research restoreNotebook setApiKey showConversations showDiagnostics
  searchEverything setUpTeam showLog showUsage switchNotebook testApiKey todaysNote`.split(/\s+/),
);

test('a repository can’t change the budget of research projects', () => {
  const settings = configuration.flatMap(({ properties }) => Object.entries(properties));
  const ofResearch = settings.filter(([name]) => name.startsWith('openNotebook.research.'));
  assert.ok(ofResearch.length > 0);
  for (const [name, { scope }] of ofResearch) assert.equal(scope, 'application', name);
});

test('Restricted Mode ignores every setting of a workspace', () => {
  const restricted = new Set(capabilities.untrustedWorkspaces.restrictedConfigurations);
  for (const [name, { scope }] of configuration.flatMap(({ properties }) => Object.entries(properties)))
    assert.ok(scope === 'application' || scope === 'machine' || restricted.has(name), name);
});

test('the Command Palette shows a command only where it works', () => {
  const palette = new Map((menus.commandPalette ?? []).map(({ command, when }) => [command, when]));
  for (const { command, enablement } of commands) {
    const name = command.replace('openNotebook.', '');
    const isConditional = (palette.get(command) ?? enablement) !== undefined;
    assert.notEqual(
      isConditional,
      always.has(name),
      `${command} needs a "when" in menus.commandPalette, or belongs to those that always work.`,
    );
  }
});

test('menus name existing commands and submenus', () => {
  const below = new Set(submenus.map(({ id }) => id));
  for (const [menu, entries] of Object.entries(menus))
    for (const { command = '', submenu = '' } of entries)
      assert.ok(ours.has(command) || below.has(submenu), `${menu}: ${command}${submenu}`);
  for (const id of below) assert.ok((menus[id]?.length ?? 0) > 0, `${id} is empty.`);
});

test('outputs, test results, and repositories have commands in their menus', () => {
  const namesIn = (menu: string, condition = ''): string[] =>
    (menus[menu] ?? [])
      .filter(({ when = '' }) => when.includes(condition))
      .map(({ command = '' }) => command.replace('openNotebook.', ''));
  // The condition is true for text, which has the ID of its output, and not for images.
  assert.ok(
    namesIn('webview/context', "webviewId == 'notebook.output' && webviewSection == 'text'").includes(
      'askAboutOutput',
    ),
  );
  assert.deepEqual(namesIn('notebook/cell/title'), ['askAboutOutput']);
  for (const menu of ['testing/message/context', 'testing/message/content'])
    assert.deepEqual(namesIn(menu), ['askAboutResult']);
  for (const menu of ['scm/title', 'scm/sourceControl'])
    assert.deepEqual(namesIn(menu, 'scmProvider == git'), ['addGitDiff', 'askAboutCommits']);
});

test('no command is in the editor’s group for cut, copy, and paste', () => {
  const groups = Object.values(menus).flatMap((entries) => entries.map(({ group }) => group));
  assert.deepEqual(
    groups.filter((group) => group?.includes('cutcopypaste')),
    [],
  );
});

test('each button of a row is also in its menu, for the keyboard', () => {
  const entries = menus['view/item/context'] ?? [];
  const inMenu = entries
    .filter(({ group }) => group?.startsWith('inline') === false)
    .map(({ command }) => command);
  for (const { command, group } of entries)
    if (group?.startsWith('inline') === true) assert.ok(inMenu.includes(command), command);
});

test('conditions use only contexts that the code sets', () => {
  const code = globSync('src/{features,platform,services}/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const telling = code.filter((text) => text.includes("'setContext'"));
  // menu-contexts.ts has them without the extension's name.
  const set = new Set(
    telling.flatMap((text) => [...text.matchAll(/'(?:openNotebook\.)?(\w+)'/g)].map(([, name]) => name)),
  );
  const conditions = JSON.stringify([menus, keybindings, walkthroughs]).matchAll(
    /(?<![\w.:/])openNotebook\.(\w+)(?=[ "=)])/g,
  );
  const known = new Set([...ours].map((command) => command.replace('openNotebook.', '')));
  for (const [, name = ''] of conditions)
    if (
      !known.has(name) &&
      !/^(?:add|chat|chatTab|citation|learning|note|notebook|notes|page|pdf|sources)$/.test(name)
    )
      assert.ok(set.has(name), `openNotebook.${name} is never set.`);
});

/**
 * Second keys of VS Code's own chords with Ctrl+K, or Cmd+K on macOS, on any of the three platforms, from "Open Default
 * Keyboard Shortcuts (JSON)" of VS Code 1.139. Without keys with Ctrl, Cmd, or Alt, which our chords don't use.
 */
const usedKeys = new Set(
  'c d down e enter f f12 f2 i left m n o p right s shift+enter shift+n shift+o t u up v w y z'.split(' '),
);

test('Study and Research are collapsed at first, and hidden while they are empty', () => {
  const views = new Map(contributes.views.openNotebook.map(({ id, ...view }) => [id, view]));
  for (const [id, context] of [
    ['openNotebook.learning', 'openNotebook.hasStudyItems'],
    ['openNotebook.research', 'openNotebook.hasResearches'],
  ] as const) {
    const { visibility, when } = views.get(id) ?? {};
    assert.deepEqual([visibility, when], ['collapsed', context], id);
  }
});

test('keyboard shortcuts differ from those of VS Code', () => {
  for (const { command, key, mac = key, when = '' } of keybindings) {
    // A single key is allowed only in our own views and editors.
    if (!key.includes(' ')) {
      assert.match(when, /focusedView == openNotebook\.|activeCustomEditorId == openNotebook\./, command);
      continue;
    }
    const [[prefix, second = ''], [macPrefix, macSecond]] = [key.split(' '), mac.split(' ')];
    assert.deepEqual([prefix, macPrefix, macSecond], ['ctrl+k', 'cmd+k', second], command);
    assert.match(second, /^(?:shift\+)?\w$/, command);
    assert.ok(!usedKeys.has(second), `${command}: ${key} is one of the editor’s own.`);
  }
});

test('the pictures of the walkthrough exist and use only colors of the theme', () => {
  const pictures = walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg));
  assert.ok(pictures.length >= 4);
  for (const picture of pictures) {
    assert.ok(existsSync(join(root, picture)), picture);
    const svg = readFileSync(join(root, picture), 'utf8');
    assert.ok(svg.length < 15_000, picture);
    for (const [, colour = ''] of svg.matchAll(/(?:fill|stroke|stop-color|color)\s*[=:]\s*"?([^";}]+)/g))
      assert.match(
        colour,
        /^(?:none|currentColor|var\(--vscode-[\w-]+(?:, (?:var\(--vscode-[\w-]+\)|none))?\))$/,
        picture,
      );
  }
});

/** Returns the paths of the source files that contain a text, relative to the root. */
function filesWith(text: string | RegExp): string[] {
  return globSync(['src/**/*.ts', 'webview/**/*.{ts,tsx}'], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => {
      const content = readFileSync(join(root, path), 'utf8');
      return typeof text === 'string' ? content.includes(text) : text.test(content);
    })
    .sort();
}

test('restored tabs of the player start the extension', () => {
  assert.ok(activationEvents.includes('onWebviewPanel:openNotebook.player'));
});

test('the code of recordings loads only with its page and in the processes that read files', () => {
  const importers = filesWith(/(?:from|import\()\s?'(?:\.\.?\/)+(?:webview\/)?player\//);
  assert.deepEqual(importers, []);
  for (const path of filesWith(/'mediabunny'/)) {
    assert.match(path, /^src\/parsers\/recordings\//);
    const content = readFileSync(join(root, path), 'utf8');
    // Only types may be imported before they are needed.
    for (const line of content.match(/^import .*'mediabunny';$/gm) ?? []) assert.match(line, /^import type /);
  }
});
