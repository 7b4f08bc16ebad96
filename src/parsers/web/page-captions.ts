import { Parser } from 'htmlparser2';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import { plainTitle } from '../../core/domain/plain-title.ts';

/** Captions and transcripts that a page with a video offers. */
export interface PageCaptions {
  /** Title of the video; undefined if the page doesn't name it apart from itself. */
  readonly title: string | undefined;
  /** Addresses of the captions, the best first. */
  readonly tracks: readonly string[];
  /** Transcript in the page itself, without times. */
  readonly transcript: string | undefined;
}

/** Track of captions. */
interface Track {
  readonly address: string;
  readonly language: string;
  /** `true` if a person wrote it. */
  readonly isWritten: boolean;
  readonly isDefault: boolean;
}

/** Data of a page that captions are found in. */
interface PageData {
  readonly tracks: readonly Track[];
  /** Contents of JSON-LD and of other scripts. */
  readonly linkedData: readonly string[];
  readonly scripts: readonly string[];
  readonly language: string;
  /** `true` if the page says that it is about a video. */
  readonly isOfVideo: boolean;
}

const JSON_BOUNDS = { depth: 100, values: 200_000 };

/** Maximum length of a script and of a transcript, in UTF-16 code units. */
const MAX_SCRIPT_LENGTH = 4_000_000;
const MAX_TRANSCRIPT_LENGTH = 2_000_000;

/** Maximum number of captions. */
const MAX_TRACKS = 200;

/** Words of pages that may offer captions. Other pages needn't be searched. */
const HINTS = [
  '<track',
  'ytInitialPlayerResponse',
  'VideoObject',
  'AudioObject',
  'PodcastEpisode',
  'text_tracks',
  'content="video',
];

/** Reports whether the bytes of a page may offer captions. */
export function mayHaveCaptions(bytes: Uint8Array): boolean {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return HINTS.some((hint) => page.includes(hint));
}

/**
 * Finds the captions of the video on a page: `track` elements, the transcript in its linked data, and the caption lists
 * of YouTube and Vimeo. Undefined if the page isn't about a video.
 */
export function findPageCaptions(html: string, url: string): PageCaptions | undefined {
  const page = readPageData(html);
  const values = page.linkedData.flatMap((text) => objectsIn(parseJson(text)));
  const videos = values.filter((value) =>
    /^(?:Video|Audio)Object$|^PodcastEpisode$/.test(textOf(value['@type'])),
  );
  const youTube = youTubeCaptions(page.scripts);
  const allTracks = [...page.tracks, ...(youTube?.tracks ?? []), ...vimeoTracks(page.scripts)];
  if (allTracks.length === 0 && videos.length === 0 && youTube === undefined && !page.isOfVideo)
    return undefined;
  // Automatic captions have the language that is spoken.
  const spoken = allTracks.find(({ isWritten }) => !isWritten)?.language ?? page.language;
  const isSpoken = ({ language }: Track): boolean =>
    spoken !== '' && language.slice(0, 2).toLowerCase() === spoken.slice(0, 2).toLowerCase();
  const score = (track: Track): number =>
    4 * Number(isSpoken(track)) + 2 * Number(track.isWritten) + Number(track.isDefault);
  const tracks = allTracks
    .sort((a, b) => score(b) - score(a))
    .flatMap(({ address }) => URL.parse(address, url) ?? [])
    .filter(({ protocol }) => /^https?:$/.test(protocol))
    .slice(0, MAX_TRACKS)
    .map(({ href }) => href);
  const transcript = videos.map((video) => textOf(video['transcript']).trim()).find((text) => text !== '');
  const title = youTube?.title ?? textOf(videos[0]?.['name']);
  return {
    title: plainTitle(title) || undefined,
    tracks,
    transcript: transcript?.slice(0, MAX_TRANSCRIPT_LENGTH),
  };
}

function readPageData(html: string): PageData {
  const tracks: Track[] = [];
  const linkedData: string[] = [];
  const scripts: string[] = [];
  let [language, isOfVideo, script, type]: [string, boolean, string | undefined, string] = [
    '',
    false,
    undefined,
    '',
  ];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'html') language = attributes['lang'] ?? '';
      if (name === 'meta' && attributes['property'] === 'og:type')
        isOfVideo ||= (attributes['content'] ?? '').startsWith('video');
      if (name === 'script') [script, type] = ['', (attributes['type'] ?? '').toLowerCase()];
      const { kind = 'subtitles', src, srclang = '' } = attributes;
      if (name === 'track' && src !== undefined && /^(?:captions|subtitles)$/i.test(kind))
        tracks.push({
          address: src,
          language: srclang,
          isWritten: true,
          isDefault: 'default' in attributes,
        });
    },
    ontext(text) {
      if (script !== undefined && script.length < MAX_SCRIPT_LENGTH) script += text;
    },
    onclosetag(name) {
      if (name !== 'script' || script === undefined) return;
      (type === 'application/ld+json' ? linkedData : scripts).push(script);
      script = undefined;
    },
  });
  parser.end(html);
  return { tracks, linkedData, scripts, language, isOfVideo };
}

/** Returns the captions in the data of YouTube's player. */
function youTubeCaptions(
  scripts: readonly string[],
): { readonly title: string | undefined; readonly tracks: Track[] } | undefined {
  const data = jsonAfter(scripts, 'ytInitialPlayerResponse');
  if (data === undefined) return undefined;
  const list = field(field(data, 'captions'), 'playerCaptionsTracklistRenderer');
  const tracks = listOf(field(list, 'captionTracks')).flatMap((track) => {
    const address = textOf(field(track, 'baseUrl'));
    if (address === '') return [];
    const isWritten = textOf(field(track, 'kind')) !== 'asr';
    const separator = address.includes('?') ? '&' : '?';
    const language = textOf(field(track, 'languageCode'));
    return [{ address: `${address}${separator}fmt=vtt`, language, isWritten, isDefault: false }];
  });
  return { title: textOf(field(field(data, 'videoDetails'), 'title')) || undefined, tracks };
}

/** Returns the captions in the data of Vimeo's player. */
function vimeoTracks(scripts: readonly string[]): Track[] {
  return listOf(jsonAfter(scripts, '"text_tracks"')).flatMap((track) => {
    const address = textOf(field(track, 'url'));
    const isWritten = !textOf(field(track, 'lang')).includes('autogen');
    const language = textOf(field(track, 'lang'));
    return address === '' ? [] : [{ address, language, isWritten, isDefault: false }];
  });
}

/** Returns the list or object after a name in one of several scripts; undefined without a valid one. */
function jsonAfter(scripts: readonly string[], name: string): unknown {
  for (const script of scripts)
    for (let at = script.indexOf(name); at >= 0; at = script.indexOf(name, at + name.length)) {
      const start = at + name.length;
      const before = /^\s{0,9}[=:]\s{0,9}(?=[[{])/.exec(script.slice(start, start + 30));
      if (before === null) continue;
      const json = wholeJson(script, start + before[0].length);
      const value = json === undefined ? undefined : parseJson(json);
      if (value !== undefined) return value;
    }
  return undefined;
}

/** Returns the list or object that starts at an offset, up to its last bracket. */
function wholeJson(script: string, start: number): string | undefined {
  let [depth, isText] = [0, false];
  for (let at = start; at < script.length; at++) {
    const letter = script[at];
    if (isText) {
      if (letter === '\\') at++;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === '{' || letter === '[') depth++;
    else if ((letter === '}' || letter === ']') && --depth === 0) return script.slice(start, at + 1);
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return parseBounded(text, JSON_BOUNDS);
  } catch {
    // The script contains other text than JSON.
    return undefined;
  }
}

/** Maximum number of values of linked data that are searched. */
const MAX_VALUES = 2_000;

/** Returns the objects of linked data, of any depth. */
function objectsIn(data: unknown): Readonly<Record<string, unknown>>[] {
  const objects: Readonly<Record<string, unknown>>[] = [];
  const waiting = [data];
  for (let index = 0; index < waiting.length && index < MAX_VALUES; index++) {
    const value = waiting[index];
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) objects.push(value as Readonly<Record<string, unknown>>);
    waiting.push(...(Object.values(value) as unknown[]).slice(0, MAX_VALUES));
  }
  return objects;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
