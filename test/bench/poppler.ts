import { execFileSync } from 'node:child_process';
import { onPath } from '../support/browser.mjs';

const program = onPath('pdftotext');

/** What Poppler's `pdftotext` reads in a PDF (Debian's package poppler-utils); undefined where it is not installed. */
export const textByPoppler =
  program === undefined
    ? undefined
    : (bytes: Uint8Array): string =>
        execFileSync(program, ['-', '-'], { input: bytes, encoding: 'utf8', maxBuffer: 1 << 28 });
