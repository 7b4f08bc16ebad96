import { endsWithMark } from '../core/language/sentences.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import { LineRuns } from './line-runs.ts';
import { scanMarkup } from './markup-scan.ts';
import { decodeText } from './text-decoding.ts';
import {
  clockTime,
  type RecordingChapter,
  type Speaker,
  type SpeakerNames,
} from '../core/domain/recordings.ts';
import { transcript, type Transcript } from './recordings/transcript.ts';
import { youTubeCaptions } from './recordings/youtube-captions.ts';

/** Line of a file. */
interface FileLine {
  readonly start: number;
  readonly text: string;
}

/** Spoken text of a caption's line. `from` has the offset in the file of each code unit; -1 for inserted ones. */
interface SpokenLine {
  readonly speaker: string | undefined;
  readonly text: string;
  readonly from: readonly number[];
  /** `true` if it continues the line before. */
  readonly isContinued?: boolean;
}

/** Caption: its display time, in seconds, and its spoken lines. */
interface Cue {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly SpokenLine[];
}

/** Minimum silence before a new paragraph, in seconds. */
const SILENCE = 3;

/** Maximum pause between two captions if the second repeats lines of the first, in seconds. */
const MAX_REPEAT_PAUSE = 1;

/** Minimum share of captions that repeat lines of the one before, from which a file has rolling captions. */
const ROLLING_RATIO = 0.25;

/** Length, in UTF-16 code units, from which a paragraph ends with its sentence. */
const LONG_PARAGRAPH = 500;

/**
 * Returns subtitles (SubRip or WebVTT) as a document: the spoken text in paragraphs, with the time and lines of each
 * place. The text names each speaker of a WebVTT voice span, and has each line of rolling captions once.
 */
export function readSubtitles(bytes: Uint8Array): ReadDocument {
  const { isWebVtt, text, runs, starts, cues } = joinCues(decodeText(bytes));
  const labels = cues.map(({ from, to }) => `${clockTime(from)}–${clockTime(to)}`);
  return {
    mediaType: isWebVtt ? 'text/vtt' : 'application/x-subrip',
    format: 'prose',
    text,
    map: runs.makeMap({ starts: Uint32Array.from(starts), labels }),
    headings: [],
    warnings: [],
  };
}

/**
 * Returns the same text as `readSubtitles` does, with the display times of its captions, in order of time. Speakers have
 * the given names.
 */
export function readCaptions(bytes: Uint8Array, names: SpeakerNames = {}): Transcript {
  const { text, starts, cues } = joinCues(decodeText(bytes), new Map(Object.entries(names)));
  return transcript(
    text,
    cues.map(({ from, to }, i) => ({ start: starts[i] ?? 0, from, to })),
  );
}

/** Returns the chapters in a WebVTT file: the text and the start of each caption. */
export function readChapterCues(bytes: Uint8Array): RecordingChapter[] {
  return [...readCues(decodeText(bytes), true)].map(({ from, lines }) => ({
    title: lines.map(({ text }) => text).join(' '),
    from,
  }));
}

/** Maximum length of a speaker's first words, in UTF-16 code units. */
const MAX_FIRST_WORDS = 80;

/**
 * Returns the speakers of captions in the order of their first words: those of WebVTT voice spans, and names that begin
 * the text of several captions, such as `Ada Lovelace: `.
 */
export function speakersIn(bytes: Uint8Array): Speaker[] {
  const original = decodeText(bytes);
  const speakers = new Map<string, Speaker & { readonly isVoice: boolean }>();
  for (const { lines } of readCues(original, original.startsWith('WEBVTT')))
    for (const line of lines) {
      const [name = '', text] = line.speaker === undefined ? splitName(line.text) : [line.speaker, line.text];
      if (name === '') continue;
      const before = speakers.get(name);
      speakers.set(name, {
        name,
        captions: (before?.captions ?? 0) + 1,
        words: before?.words ?? text.slice(0, MAX_FIRST_WORDS),
        isVoice: line.speaker !== undefined || before?.isVoice === true,
      });
    }
  return [...speakers.values()]
    .filter(({ isVoice, captions }) => isVoice || captions > 1)
    .map(({ name, captions, words }) => ({ name, captions, words }));
}

/** Matches a name before the text of a caption, as in the captions of Zoom. */
const WRITTEN_NAME = /^[\p{L}\p{N}][^:?!;,"“”]{0,59}(?=: \S)/u;

/** Splits a line into the name of a speaker, if it starts with one, and the text. */
function splitName(text: string): readonly [name: string | undefined, text: string] {
  const name = WRITTEN_NAME.exec(text)?.[0];
  return name === undefined ? [undefined, text] : [name, text.slice(name.length + 2)];
}

/** Gives the speaker of a line another name. */
function rename(line: SpokenLine, names: ReadonlyMap<string, string>): SpokenLine {
  if (line.speaker !== undefined) return { ...line, speaker: names.get(line.speaker) ?? line.speaker };
  const [name = '', text] = splitName(line.text);
  const speaker = names.get(name);
  return speaker === undefined
    ? line
    : { ...line, speaker, text, from: line.from.slice(line.text.length - text.length) };
}

/** Joins the captions of a file. Caption `i` starts at `starts[i]` in the text. */
function joinCues(
  original: string,
  names: ReadonlyMap<string, string> = new Map(),
): {
  readonly isWebVtt: boolean;
  readonly text: string;
  readonly runs: LineRuns;
  readonly starts: readonly number[];
  readonly cues: readonly Cue[];
} {
  const isWebVtt = original.startsWith('WEBVTT');
  const runs = new LineRuns(original);
  const starts: number[] = [];
  const used: Cue[] = [];
  const cues = [...readCues(original, isWebVtt)].map((cue) =>
    names.size === 0 ? cue : { ...cue, lines: cue.lines.map((line) => rename(line, names)) },
  );
  const isRolling = hasRollingCaptions(cues);
  let text = '';
  let paragraph = 0;
  let speaker: string | undefined;
  let before: Cue | undefined;
  for (const cue of cues) {
    const lines = newLines(cue, before, isRolling);
    const isPause = before !== undefined && cue.from - before.to > SILENCE;
    before = cue;
    if (lines.length === 0) continue;
    const isLong = text.length - paragraph > LONG_PARAGRAPH && endsWithMark(text.slice(-4));
    const isNewParagraph = text !== '' && (isPause || isLong);
    if (text !== '') text += isNewParagraph ? '\n\n' : lines[0]?.isContinued === true ? ' ' : '\n';
    if (isNewParagraph) {
      paragraph = text.length;
      speaker = undefined;
    }
    starts.push(text.length);
    used.push(cue);
    for (const [index, line] of lines.entries()) {
      if (index > 0) text += '\n';
      if (line.speaker !== undefined && line.speaker !== speaker) text += `${line.speaker}: `;
      ({ speaker } = line);
      addRuns(runs, text.length, line.from);
      text += line.text;
    }
  }
  return { isWebVtt, text, runs, starts, cues: used };
}

function addRuns(runs: LineRuns, start: number, from: readonly number[]): void {
  let first = 0;
  for (let i = 1; i <= from.length; i++) {
    const offset = from[first] ?? -1;
    if (i < from.length && from[i] === (from[i - 1] ?? -1) + 1) continue;
    if (offset >= 0) runs.add(start + first, i - first, offset);
    first = i;
  }
}

/** Reports whether captions repeat the lines of the one before, as live and automatic captions do. */
function hasRollingCaptions(cues: readonly Cue[]): boolean {
  const repeats = cues.filter((cue, i) => {
    const before = cues[i - 1];
    return before !== undefined && newLines(cue, before, true) !== cue.lines;
  });
  return repeats.length > 1 && repeats.length >= ROLLING_RATIO * (cues.length - 1);
}

/** Returns the lines of a caption that the one before didn't show; the last line of that one may have grown. */
function newLines(cue: Cue, before: Cue | undefined, isRolling: boolean): readonly SpokenLine[] {
  if (before === undefined) return cue.lines;
  const isSame =
    cue.lines.map(({ text }) => text).join('\n') === before.lines.map(({ text }) => text).join('\n');
  if (isSame) return [];
  if (!isRolling || cue.from - before.to > MAX_REPEAT_PAUSE) return cue.lines;
  for (let skipped = 0; skipped < before.lines.length; skipped++) {
    const repeated = before.lines.slice(skipped);
    const last = repeated.length - 1;
    if (last >= cue.lines.length) continue;
    const [old, grown] = [repeated[last]?.text ?? '', cue.lines[last]];
    if (grown === undefined || !repeated.slice(0, last).every(({ text }, i) => text === cue.lines[i]?.text))
      continue;
    if (grown.text === old) return cue.lines.slice(last + 1);
    if (grown.text.startsWith(`${old} `)) {
      const from = old.length + 1;
      const rest = {
        ...grown,
        text: grown.text.slice(from),
        from: grown.from.slice(from),
        isContinued: true,
      };
      return [rest, ...cue.lines.slice(last + 1)];
    }
  }
  return cue.lines;
}

/** Returns captions of YouTube with their lines, which have no place in the file. */
function youTubeCues(captions: NonNullable<ReturnType<typeof youTubeCaptions>>): Cue[] {
  return captions.flatMap(({ from, to, text }) => {
    const lines = text.split('\n').flatMap((line) => {
      // Some texts are escaped twice.
      const words = decodeReferences(line).trim();
      return words === ''
        ? []
        : [{ speaker: undefined, text: words, from: Array.from({ length: words.length }, () => -1) }];
    });
    return lines.length === 0 ? [] : [{ from, to, lines }];
  });
}

/** Yields the captions. A blank line doesn't end one, because many programs write blank lines inside captions. */
function* readCues(original: string, isWebVtt: boolean): Generator<Cue> {
  const ofYouTube = isWebVtt ? undefined : youTubeCaptions(original);
  if (ofYouTube !== undefined) {
    yield* youTubeCues(ofYouTube);
    return;
  }
  let cue: { from: number; to: number; lines: FileLine[] } | undefined;
  const ended = (): Cue[] => {
    if (cue === undefined) return [];
    const lines = speechIn(cue.lines, isWebVtt);
    return lines.length === 0 ? [] : [{ from: cue.from, to: cue.to, lines }];
  };
  for (const line of cutLines(original)) {
    const times = readTimes(line.text);
    if (times === undefined) cue?.lines.push(line);
    else {
      if (cue !== undefined) withoutName(cue.lines, isWebVtt);
      yield* ended();
      cue = { ...times, lines: [] };
    }
  }
  yield* ended();
}

/** Removes the number or name of the next caption from the end of a caption's lines. */
function withoutName(lines: FileLine[], isWebVtt: boolean): void {
  const last = lines.at(-1)?.text.trim() ?? '';
  const isNumber = /^\d{1,7}$/.test(last);
  const isAfterBlank = lines.length > 1 && lines.at(-2)?.text.trim() === '';
  if (isWebVtt ? isAfterBlank : isNumber) lines.pop();
}

/** Returns the spoken lines of a caption, without WebVTT's comments and styles. */
function speechIn(lines: readonly FileLine[], isWebVtt: boolean): SpokenLine[] {
  const spoken: SpokenLine[] = [];
  let isComment = false;
  let isAfterBlank = false;
  for (const line of lines) {
    const isBlank = line.text.trim() === '';
    if (isBlank) isComment = false;
    else if (isWebVtt && isAfterBlank && /^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(line.text)) isComment = true;
    // The head of the next segment in joined files of a stream.
    else if (isWebVtt && /^WEBVTT(?:\s|$)/.test(line.text)) isComment = true;
    isAfterBlank = isBlank;
    if (!isBlank && !isComment) spoken.push(...readLine(line));
  }
  return spoken;
}

const LINE_END = /\r?\n|\r/g;

function* cutLines(text: string): Generator<FileLine> {
  for (let start = 0; start < text.length;) {
    LINE_END.lastIndex = start;
    const lineEnd = LINE_END.exec(text);
    const end = lineEnd?.index ?? text.length;
    yield { start, text: text.slice(start, end) };
    start = end + (lineEnd?.[0].length ?? 1);
  }
}

const TIME = String.raw`(?:(\d{1,4}) ?: ?)?(\d{1,2}) ?: ?(\d{1,2})(?: ?[.,:;] ?(\d{1,9}))?`;
const TIMES = new RegExp(
  String.raw`^(?:\s{0,9}\d{1,7}\s{1,9})?\s{0,9}${TIME}\s{0,9}(?:-{1,3}|[–—])>\s{0,9}${TIME}`,
);

/** Returns the display time in a line. Programs differ in the mark before the milliseconds and in their digits. */
function readTimes(line: string): { from: number; to: number } | undefined {
  if (!line.includes('>')) return undefined;
  const match = TIMES.exec(line.slice(0, 200));
  if (match === null) return undefined;
  const seconds = (hours = '0', minutes = '0', whole = '0', fraction = '0'): number =>
    Number(hours) * 3600 + Number(minutes) * 60 + Number(`${whole}.${fraction}`);
  return {
    from: seconds(match[1], match[2], match[3], match[4]),
    to: seconds(match[5], match[6], match[7], match[8]),
  };
}

/** Matches tags for italics, colors, positions, times, and voices, readings of ruby text, and character references. */
const MARKS =
  /<r[tp]>[^<>]{0,200}<\/r[tp]>|<v(?:\.[^\s<>]{1,80})?\s{1,9}([^<>]{1,200})>|<\/?[a-z][^<>]{0,200}>|<\d[\d:.]{1,15}>|\{\\[^{}]{0,100}\}|&[#\w]{2,32};/gi;

/** Returns the spoken text of a line, one part for each voice span. */
function readLine({ start, text: line }: FileLine): SpokenLine[] {
  const parts: SpokenLine[] = [];
  let speaker: string | undefined;
  let text = '';
  let from: number[] = [];
  const add = (added: string, offset: number): void => {
    for (let i = 0; i < added.length; i++) from.push(offset < 0 ? -1 : offset + i);
    text += added;
  };
  const end = (): void => {
    const trimmed = text.trim();
    const first = text.indexOf(trimmed);
    // A dash before a voice only separates speakers.
    if (trimmed !== '' && !/^[-–—]$/.test(trimmed))
      parts.push({ speaker, text: trimmed, from: from.slice(first, first + trimmed.length) });
    text = '';
    from = [];
  };
  let at = 0;
  for (const { 0: mark, 1: voice, index } of line.matchAll(MARKS)) {
    add(line.slice(at, index), start + at);
    at = index + mark.length;
    if (voice !== undefined) {
      end();
      speaker = decodeReferences(voice).trim();
    } else if (mark.startsWith('&')) add(decodeReferences(mark), -1);
    else if (/^<sup>$/i.test(mark) && /\d$/.test(text)) add('^', -1);
  }
  add(line.slice(at), start + at);
  end();
  return parts;
}

/** Decodes character references, and removes the invisible marks of writing directions. */
function decodeReferences(words: string): string {
  let decoded = '';
  scanMarkup(words, 'html', {
    onText: (part) => {
      decoded += part;
    },
  });
  return decoded.replace(/[\u200e\u200f]/g, '').replaceAll('\u00a0', ' ');
}
