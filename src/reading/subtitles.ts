import { endsWithMark } from '../language/sentences.ts';
import type { ReadDocument } from '../notebook/document.ts';
import { LineRuns } from './line-runs.ts';
import { decodeText } from './text-decoding.ts';

/** Caption: its display time, in seconds, and its lines in the file. */
interface Cue {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly { readonly start: number; readonly text: string }[];
}

/** Minimum silence before a new paragraph, in seconds. */
const SILENCE = 3;

/** Length, in UTF-16 code units, from which a paragraph ends with its sentence. */
const LONG_PARAGRAPH = 500;

/**
 * Returns subtitles (SubRip or WebVTT) as a document: the spoken text in paragraphs, with the time and lines of each
 * place.
 */
export function readSubtitles(bytes: Uint8Array): ReadDocument {
  const original = decodeText(bytes);
  const runs = new LineRuns(original);
  const starts: number[] = [];
  const labels: string[] = [];
  let text = '';
  let paragraph = 0;
  let before: { readonly to: number; readonly said: string } | undefined;
  for (const cue of readCues(original)) {
    const lines = cue.lines.map((line) => ({ ...line, said: withoutTags(line.text) }));
    const said = lines.map((line) => line.said).join('\n');
    // Roll-up captions repeat their last line.
    if (said.trim() === '' || said === before?.said) continue;
    if (before !== undefined) {
      const isPause = cue.from - before.to > SILENCE;
      const isLong = text.length - paragraph > LONG_PARAGRAPH && endsWithMark(text.slice(-4));
      text += isPause || isLong ? '\n\n' : '\n';
      if (isPause || isLong) paragraph = text.length;
    }
    starts.push(text.length);
    labels.push(`${clock(cue.from)}–${clock(cue.to)}`);
    for (const [index, line] of lines.entries()) {
      if (index > 0) text += '\n';
      runs.addTaken(text.length, line.said, line.start, line.start + line.text.length);
      text += line.said;
    }
    before = { to: cue.to, said };
  }
  return {
    title: undefined,
    mediaType: original.startsWith('WEBVTT') ? 'text/vtt' : 'application/x-subrip',
    format: 'prose',
    languageId: undefined,
    text,
    map: runs.aligned({ starts: Uint32Array.from(starts), labels }),
    headings: [],
    warnings: [],
  };
}

function* readCues(text: string): Generator<Cue> {
  let cue: { from: number; to: number; lines: { start: number; text: string }[] } | undefined;
  for (const line of cutLines(text)) {
    const times = readTimes(line.text);
    if (times !== undefined) {
      if (cue !== undefined) yield cue;
      cue = { ...times, lines: [] };
    } else if (line.text.trim() === '') {
      if (cue !== undefined) yield cue;
      cue = undefined;
    } else cue?.lines.push(line);
  }
  if (cue !== undefined) yield cue;
}

function* cutLines(text: string): Generator<{ start: number; text: string }> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield { start, text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end) };
    start = end + 1;
  }
}

function readTimes(line: string): { from: number; to: number } | undefined {
  if (!line.includes('-->')) return undefined;
  const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,3})?)`;
  const found = new RegExp(`^\\s{0,9}${time}\\s{0,9}-->\\s{0,9}${time}`).exec(line.slice(0, 200));
  if (found === null) return undefined;
  const seconds = (hours = '0', minutes = '0', rest = '0'): number =>
    Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'));
  return { from: seconds(found[1], found[2], found[3]), to: seconds(found[4], found[5], found[6]) };
}

/** Removes italics, colors, positions, and similar tags. */
function withoutTags(line: string): string {
  return line
    .replace(/<\/?[a-z][^<>]{0,200}>|<\d\d:[\d:.]{1,12}>|\{\\[^{}]{0,100}\}/gi, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ')
    .trim();
}

/** Formats seconds as `0:07`, `12:30`, or `1:02:03`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return `${hours > 0 ? `${String(hours)}:${two(minutes)}` : String(minutes)}:${two(whole % 60)}`;
}
