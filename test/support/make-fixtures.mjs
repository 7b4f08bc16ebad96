// Generates test/fixtures/reading/: node test/support/make-fixtures.mjs
// Needs qpdf, and a Chromium that Playwright finds or that CHROMIUM names. Commit the files that it writes.
import { execFileSync } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const folder = fileURLToPath(new URL('../fixtures/reading/', import.meta.url));
/** @param {string} name */
const at = (name) => folder + name;

/** @type {[title: string, subject: string, other: string][]} */
const sections = [
  ['Sources of the water', 'basin', 'river'],
  ['Turbine settings', 'turbine', 'blade'],
  ['Loads on the gates', 'gate', 'hinge'],
  ['Irrigation from the lake', 'orchard', 'village'],
  ['Cost of a dry year', 'reservoir', 'harvest'],
  ['Records and archives', 'ledger', 'archive'],
];

/**
 * @param {string} subject
 * @param {string} other
 * @param {number} count
 */
const sentences = (subject, other, count) =>
  Array.from({ length: count }, (_, i) =>
    [
      `In ${1950 + 7 * i + subject.length}, the ${subject} was measured again and was ${3 + i} centimeters lower than in the drawings.`,
      `Nobody at the station had expected the ${other} to last that long, although the engineers’ notes mention it twice.`,
      `The committee asked for a second opinion on the ${subject}; it came ${2 + i} months later and agreed on everything but the price.`,
      `Where the ${other} meets the ${subject}, a brass plate numbered ${100 * subject.length + i} marks the highest flood level.`,
    ].join(' '),
  );

const report = `<!doctype html><html lang="en"><head><title>The Harrow Lake Report</title><style>
  body { font: 11pt/1.45 'DejaVu Serif'; text-align: justify }
  h1, h2 { text-align: left } h1 { font-size: 24pt } h2 { font-size: 16pt; break-before: page } h2:first-of-type { break-before: auto }
  td, th { padding: 2pt 12pt; text-align: left } code { font-family: 'DejaVu Sans Mono' }
</style></head><body>
<h1>The Harrow Lake Report</h1>
${sections
  .map(
    ([title, subject, other], index) => `<h2>${title}</h2>
${sentences(subject, other, 5)
  .map((text) => `<p>${text}</p>`)
  .join('\n')}
${index === 1 ? '<table><tr><th>Turbine</th><th>Built</th><th>Output</th></tr><tr><td>North</td><td>1961</td><td>42 MW</td></tr><tr><td>South</td><td>1974</td><td>57 MW</td></tr><tr><td>Spare</td><td>1980</td><td>12 MW</td></tr></table>' : ''}
${index === 3 ? '<ul><li>Apples are watered from May to August by the eastern channel, which is opened at six in the morning and closed at noon.</li><li>Plums aren’t watered.</li></ul>' : ''}`,
  )
  .join('\n')}
</body></html>`;

const columns = `<!doctype html><html lang="en"><head><title>Two columns</title><style>
  body { font: 10pt/1.4 'DejaVu Serif' } h1 { font-size: 18pt }
  main { columns: 2; column-gap: 24pt; text-align: justify; hyphens: manual } h2 { font-size: 13pt }
</style></head><body><h1>How to keep a lighthouse</h1><main>
${sections
  .slice(0, 3)
  .map(
    ([title, subject, other]) =>
      `<h2>${title}</h2><p>${sentences(subject, other, 3)
        .join(' ')
        .replaceAll('measured', 'mea&shy;sured')
        .replaceAll('engineers', 'engi&shy;neers')
        .replaceAll('committee', 'com&shy;mit&shy;tee')
        .replaceAll('opinion', 'opin&shy;ion')
        .replaceAll('mentions', 'men&shy;tions')
        .replaceAll('centimeters', 'cen&shy;ti&shy;me&shy;ters')}</p>`,
  )
  .join('\n')}
</main></body></html>`;

const rightToLeft = `<!doctype html><html lang="he" dir="rtl"><head><title>שומר המגדלור</title><style>
  body { font: 13pt/1.5 'DejaVu Sans' } h1 { font-size: 24pt }
</style></head><body><h1>שומר המגדלור</h1>
<p>המגדלור עומד על הצוק כבר מאה שנה. בכל ערב עולה השומר במדרגות ומדליק את האור. הספינות רואות את האור ממרחק רב ויודעות היכן החוף.</p>
<p>בשנת 1974 הגיעה תוכנה בשם Python אל התחנה. השומר למד אותה לבדו, וכתב בה יומן של הרוחות והגלים.</p>
</body></html>`;

await mkdir(folder, { recursive: true });
const executablePath = process.env.CHROMIUM;
const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
const page = await browser.newPage();
/**
 * @param {string} html
 * @param {string} name
 * @param {object} [options]
 */
const print = async (html, name, options) => {
  await page.setContent(html);
  await page.pdf({
    path: at(name),
    format: 'A5',
    margin: { top: '20mm', bottom: '20mm', left: '15mm', right: '15mm' },
    ...options,
  });
};
await print(report, 'report.pdf', {
  displayHeaderFooter: true,
  headerTemplate: '<div style="font-size: 8pt; margin: 0 auto">Harrow Lake Authority, annual report</div>',
  footerTemplate:
    '<div style="font-size: 8pt; margin: 0 auto">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>',
});
await print(columns, 'columns.pdf', { format: 'A4' });
await print(rightToLeft, 'right-to-left.pdf');
await page.setContent('<div style="width: 24px; height: 24px; background: teal"></div>');
await writeFile(at('picture.txt'), await page.screenshot({ clip: { x: 0, y: 0, width: 32, height: 32 } }));
await browser.close();

execFileSync('qpdf', [
  '--encrypt',
  'reader',
  'owner',
  '256',
  '--',
  at('right-to-left.pdf'),
  at('encrypted.pdf'),
]);
const whole = await readFile(at('report.pdf'));
await writeFile(at('truncated.pdf'), whole.subarray(0, Math.round(whole.length * 0.6)));
await writeFile(at('empty.txt'), '');
await writeFile(
  at('utf-16.txt'),
  Buffer.from('\uFEFFThe keeper’s log, kept in UTF-16.\r\nWind from the north.\r\n', 'utf16le'),
);
await writeFile(
  at('latin-1.txt'),
  Buffer.from('Die Größe der Türen wäre für Bären zu üppig; später prüfte man Öfen und Äxte.\n', 'latin1'),
);
