// Prints the lines of languages for src/features/ocr/editor/catalog.ts, from their npm packages:
//   node test/support/recognition-language.mjs CODE…
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const version = '1.0.0';
const folder = mkdtempSync(join(tmpdir(), 'nb-languages-'));
try {
  for (const code of process.argv.slice(2)) {
    const packArguments = ['pack', '--silent', `@tesseract.js-data/${code}@${version}`];
    const packed = execFileSync('npm', packArguments, { cwd: folder, encoding: 'utf8' }).trim();
    const file = `package/4.0.0_best_int/${code}.traineddata.gz`;
    execFileSync('tar', ['-xzf', packed, file], { cwd: folder });
    const bytes = readFileSync(join(folder, file));
    const length = bytes.length.toLocaleString('en').replaceAll(',', '_');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    console.log(`  language('${code}', ${length}, '${sha256}'),`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
