import { execFileSync } from 'node:child_process';
import { onPath } from '../support/browser.mjs';

const program = onPath('pdftotext');

/** Returns the text from Poppler's `pdftotext` (Debian's package poppler-utils); undefined if it isn't installed. */
export const textByPoppler =
  program === undefined
    ? undefined
    : (bytes: Uint8Array): string =>
        execFileSync(program, ['-', '-'], { input: bytes, encoding: 'utf8', maxBuffer: 1 << 28 });
