// Crops the README's pictures from the screenshots of the browser tests:
//   npm run test:all -- browser && node test/support/readme-pictures.mjs
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { browserArguments, ensureBrowser } from './browser.mjs';
import { results, root } from './paths.mjs';

const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArguments });

/** Part of each picture of the browser tests to show, in pixels. */
const shown = {
  window: { from: 'citation-in-pdf', x: 0, y: 0, width: 1400, height: 900 },
  add: { from: 'sources', x: 48, y: 36, width: 300, height: 134 },
  ask: { from: 'looks-light-written-500', x: 52, y: 346, width: 488, height: 314 },
  follow: { from: 'citation-in-page', x: 48, y: 64, width: 1160, height: 622 },
  model: { from: 'models', x: 396, y: 4, width: 612, height: 284 },
  map: { from: 'studio-map-light', x: 356, y: 74, width: 1036, height: 170 },
  research: { from: 'research-board-light', x: 356, y: 74, width: 1036, height: 366 },
  'extraction-table': { from: 'extraction-table-light', x: 356, y: 104, width: 760, height: 456 },
  cards: { from: 'cards-light', x: 516, y: 192, width: 716, height: 204 },
  marks: { from: 'pdf-marks-light', x: 356, y: 92, width: 720, height: 197 },
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
