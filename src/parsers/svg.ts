import type { ReadDocument } from '../core/domain/document.ts';
import { LineRuns } from './line-runs.ts';
import { scanMarkup } from './markup-scan.ts';
import { decodeText } from './text-decoding.ts';

const SPOKEN = new Set(['title', 'desc', 'text', 'a', 'tspan', 'textPath']);
const OWN_LINES = new Set(['title', 'desc', 'text']);

/** Maximum nesting depth. Real drawings don't nest their words this deep. */
const MAX_DEPTH = 1_000;

/** Returns a drawing (SVG) as a document: its title, its description, and the words in it, one line each. */
export function readSvg(bytes: Uint8Array): ReadDocument {
  const original = decodeText(bytes);
  const runs = new LineRuns(original);
  const parts: string[] = [];
  let length = 0;
  let last = '\n';
  let title: string | undefined;
  let titleWords = '';
  /** Names of the open elements with text, and the number of open lines among them. */
  const open: string[] = [];
  let lines = 0;
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
    last = text.at(-1) ?? last;
  };
  const endLine = (): void => {
    if (last !== '\n') add('\n');
  };
  scanMarkup(original, 'xml', {
    onOpen(name) {
      if (OWN_LINES.has(name)) endLine();
      if (name === 'title') titleWords = '';
      if (!SPOKEN.has(name) || open.length === MAX_DEPTH) return;
      open.push(name);
      if (OWN_LINES.has(name)) lines++;
    },
    onClose(name) {
      // A damaged file can end an element before those in it.
      const at = open.lastIndexOf(name);
      if (at < 0) return;
      for (const closed of open.splice(at)) if (OWN_LINES.has(closed)) lines--;
      if (!OWN_LINES.has(name)) return;
      if (name === 'title') title ??= titleWords.trim();
      endLine();
    },
    onText(words, start, end) {
      if (lines === 0) return;
      const plain = words.replace(/\s+/g, ' ').replace(/\s/.test(last) ? /^ / : /^$/, '');
      runs.addExtracted(length, plain, start, end);
      add(plain);
      if (open.at(-1) === 'title') titleWords += plain;
    },
  });
  return {
    title: title === '' ? undefined : title,
    mediaType: 'image/svg+xml',
    format: 'prose',
    text: parts.join(''),
    map: runs.makeMap(),
    headings: [],
    warnings: [],
  };
}
