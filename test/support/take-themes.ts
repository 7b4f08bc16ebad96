// Copies the CSS variables of four themes, and the style sheet that VS Code adds to each page, from VS Code:
//   node test/support/take-themes.ts   (Node 24; run it again after an update of VS Code)
import { chromium } from '@playwright/test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserArguments, ensureBrowser } from './browser.mjs';
import { root } from './paths.mjs';
import { installExtension, makeTemporaryFolder, startServer } from './server.mjs';
import { testSettings } from './settings.mjs';
import { themes as themeLabels } from './theme-labels.ts';
import { installServer } from './vscode-server.mjs';
import { packExtension } from './vsix.mjs';
import { Workbench } from './workbench.ts';

/** Runs in a page of the extension. */
function readTheme(): { kind: string; id: string; variables: Record<string, string>; defaultStyle: string } {
  const { body, documentElement } = document;
  const names = [...documentElement.style].filter((name) => name.startsWith('--')).toSorted();
  return {
    kind: body.dataset.vscodeThemeKind ?? '',
    id: body.dataset.vscodeThemeId ?? '',
    variables: Object.fromEntries(names.map((name) => [name, documentElement.style.getPropertyValue(name)])),
    defaultStyle:
      document.querySelector('#_defaultStyles')?.textContent.replaceAll(/^\t\t/gm, '').trim() ?? '',
  };
}

await installServer();
const home = makeTemporaryFolder('nb-themes-');
const folders = { userData: join(home, 'data'), extensions: join(home, 'extensions') };
await installExtension(await packExtension(), folders);
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArguments });
const themesByName: Record<string, object> = {};
let defaultStyle = '';
for (const [name, label] of Object.entries(themeLabels)) {
  mkdirSync(join(folders.userData, 'User'), { recursive: true });
  const settings = { ...testSettings, 'workbench.colorTheme': label };
  writeFileSync(join(folders.userData, 'User', 'settings.json'), JSON.stringify(settings));
  const server = await startServer(folders);
  const workbench = await Workbench.open(await browser.newContext(), server.urlOf(home));
  await workbench.showViews();
  const panel = await workbench.webview('textarea');
  const { defaultStyle: style, ...theme } = await panel.locator('body').evaluate(readTheme);
  defaultStyle = style;
  themesByName[name] = theme;
  await server.stop();
}
await browser.close();
rmSync(home, { recursive: true, force: true });
writeFileSync(
  join(root, 'test', 'fixtures', 'themes.json'),
  JSON.stringify({ defaultStyle, themes: themesByName }, null, 2) + '\n',
);
