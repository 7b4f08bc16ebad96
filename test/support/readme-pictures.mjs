// Makes the README's pictures: from those of the walkthrough, whose colours the editor gives, and of what the browser tests
// saw last of `shown`:
//   node test/support/readme-pictures.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { browserArguments, ensureBrowser } from './browser.mjs';
import { results, root } from './paths.mjs';

const folder = join(root, 'media', 'walkthrough');

/** Those of the editor's light theme. */
const colours = {
  'font-family': 'system-ui, "DejaVu Sans", sans-serif',
  'badge-background': '#005fb8',
  'badge-foreground': '#ffffff',
  'button-background': '#005fb8',
  'button-foreground': '#ffffff',
  'checkbox-background': '#f8f8f8',
  'checkbox-border': '#cecece',
  'checkbox-foreground': '#3b3b3b',
  descriptionForeground: '#6a6a6a',
  'editor-background': '#ffffff',
  'editor-findMatchHighlightBackground': '#ea5c0055',
  focusBorder: '#005fb8',
  foreground: '#3b3b3b',
  'input-background': '#ffffff',
  'list-activeSelectionBackground': '#e8e8e8',
  'list-activeSelectionForeground': '#000000',
  'list-hoverBackground': '#f2f2f2',
  'sideBar-background': '#f8f8f8',
  'textLink-foreground': '#005fb8',
  'widget-border': '#e5e5e5',
};
const style = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value};`);

const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArguments });
const page = await browser.newPage({ deviceScaleFactor: 2 });
for (const name of readdirSync(folder).filter((file) => file.endsWith('.svg'))) {
  const svg = readFileSync(join(folder, name), 'utf8');
  // All of one height, so that they stand in rows.
  await page.setContent(
    `<style>:root { ${style.join(' ')} } body { margin: 0 } svg { display: block; height: 240px }</style>${svg}`,
  );
  await page.locator('svg').screenshot({ path: join(folder, name.replace('.svg', '.png')) });
}

/** Which part of which picture of the browser tests is shown, in pixels. */
const shown = {
  research: { from: 'research-board-light', x: 356, y: 74, width: 1036, height: 292 },
  matrix: { from: 'matrix-light', x: 356, y: 74, width: 760, height: 486 },
  cards: { from: 'cards-light', x: 516, y: 170, width: 716, height: 236 },
  marks: { from: 'pdf-marks-light', x: 356, y: 92, width: 720, height: 190 },
  team: { from: 'team-research-two', x: 356, y: 160, width: 512, height: 240 },
};
const pictures = join(root, 'media', 'readme');
mkdirSync(pictures, { recursive: true });
for (const [name, { from, ...clip }] of Object.entries(shown)) {
  const file = join(results, 'screenshots', `${from}.png`);
  if (!existsSync(file)) {
    console.error(`${name} stays as it is: the browser tests have not seen ${from}.`);
    continue;
  }
  const seen = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const data = readFileSync(file).toString('base64');
  await seen.setContent(`<style>body { margin: 0 }</style><img src="data:image/png;base64,${data}">`);
  await seen.locator('img').evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
  await seen.screenshot({ path: join(pictures, `${name}.png`), clip });
}
await browser.close();
