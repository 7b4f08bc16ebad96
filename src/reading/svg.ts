import { Parser } from 'htmlparser2';
import type { ReadDocument } from '../notebook/document.ts';
import { LineRuns } from './line-runs.ts';
import { decodeText } from './text-decoding.ts';

const spoken = new Set(['title', 'desc', 'text', 'a', 'tspan', 'textPath']);
const lineOf = new Set(['title', 'desc', 'text']);

/** A drawing (SVG) as a document: its title, its description and the words drawn in it, one line each. */
export function readSvg(bytes: Uint8Array): ReadDocument {
  const original = decodeText(bytes);
  const runs = new LineRuns(original);
  let text = '';
  let title: string | undefined;
  /** The names of the open elements that are spoken. */
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag(name) {
        if (lineOf.has(name) && text !== '' && !text.endsWith('\n')) text += '\n';
        if (spoken.has(name)) open.push(name);
      },
      onclosetag(name) {
        if (open.at(-1) !== name) return;
        open.pop();
        if (name === 'title') title ??= text.split('\n').at(-1)?.trim();
        if (lineOf.has(name) && text !== '' && !text.endsWith('\n')) text += '\n';
      },
      ontext(words) {
        if (!open.some((name) => lineOf.has(name))) return;
        const isAtStart = text === '' || /\s/.test(text.slice(-1));
        const plain = words.replace(/\s+/g, ' ').replace(isAtStart ? /^ / : /^$/, '');
        runs.addTaken(
          text.length,
          plain,
          parser.startIndex,
          Math.max(parser.endIndex, parser.startIndex + words.length),
        );
        text += plain;
      },
    },
    { xmlMode: true },
  );
  parser.write(original);
  parser.end();
  return {
    title: title === '' ? undefined : title,
    mediaType: 'image/svg+xml',
    format: 'prose',
    languageId: undefined,
    text,
    map: runs.aligned(),
    headings: [],
    warnings: [],
  };
}
