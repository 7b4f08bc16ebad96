// Draws the README's pictures from those of the walkthrough, whose colours the editor gives:
//   node test/support/readme-pictures.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { browserArguments, ensureBrowser } from './browser.mjs';
import { root } from './paths.mjs';

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
await browser.close();
