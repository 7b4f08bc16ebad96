// A speech-to-text server on loopback that knows which second of a counting recording it hears.
import type { ServerResponse } from 'node:http';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';
import { wavFile } from '../../src/parsers/recordings/wav.ts';

/** Samples per second of a counting recording, so few that an hour is cheap. */
const RATE = 200;
/** Step of the sample values from one second to the next. */
const STEP = 6;

/** A transcription request. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly format: string;
  readonly granularities: readonly string[];
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly authorization: string | undefined;
  /** Number of earlier requests. */
  readonly index: number;
}

/** A reply: a JSON body, `cut` to send half of it, a status with headers, or `silent` to send nothing. */
type Reply =
  | { readonly json: object }
  | { readonly cut: object }
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'silent';

export interface TranscriptionServer extends LoopbackServer {
  /** `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  readonly transcriptions: readonly TranscriptionRequest[];
  /** Changes the replies to later requests. */
  reply(reply: (request: TranscriptionRequest) => Reply | Promise<Reply>): void;
}

/** Returns a recording in which second `n` is the word `wn`; seconds for which `isSilent` holds have none. */
export function countingRecording(seconds: number, isSilent: (second: number) => boolean): Uint8Array {
  const samples = new Int16Array(seconds * RATE);
  for (let second = 0; second < seconds; second++)
    if (!isSilent(second)) samples.fill((second + 1) * STEP, second * RATE, (second + 1) * RATE);
  return wavFile(samples, RATE);
}

/**
 * Returns what a server hears in a part of a counting recording: words with their times, in segments of up to five
 * words, which end with a period. It misunderstands a word that begins or ends outside the part.
 */
export function hear(wav: Uint8Array): {
  text: string;
  segments: { start: number; end: number; text: string }[];
  words: { word: string; start: number; end: number }[];
} {
  const samples = new Int16Array(Uint8Array.from(wav.subarray(44)).buffer);
  const words: { word: string; start: number; end: number }[] = [];
  const segments: { start: number; end: number; text: string }[] = [];
  let isNew = true;
  for (let at = 0; at < samples.length;) {
    const second = Math.round((samples[at] ?? 0) / STEP) - 1;
    const start = at;
    while (at < samples.length && Math.round((samples[at] ?? 0) / STEP) - 1 === second) at++;
    if (second < 0) {
      isNew = true;
      continue;
    }
    const isWhole = at - start > 0.9 * RATE;
    const [from, to] = [start / RATE, at / RATE];
    const word = isWhole ? `w${String(second)}` : 'hm';
    words.push({ word, start: from, end: to });
    const last = segments.at(-1);
    if (last === undefined || isNew || last.text.split(' ').length > 5)
      segments.push({ start: from, end: to, text: ` ${word}` });
    else Object.assign(last, { end: to, text: `${last.text} ${word}` });
    isNew = false;
  }
  const ended = segments.map((segment) => ({ ...segment, text: `${segment.text}.` }));
  return {
    text: ended
      .map(({ text }) => text)
      .join('')
      .trim(),
    segments: ended,
    words,
  };
}

/** Starts the server, which hears counting recordings at first. */
export async function startTranscriptionServer(): Promise<TranscriptionServer> {
  const transcriptions: TranscriptionRequest[] = [];
  let reply: (request: TranscriptionRequest) => Reply | Promise<Reply> = ({ bytes }) => ({
    json: hear(bytes),
  });
  const server = await startLoopbackServer(async ({ method, path, headers, bytes }, response) => {
    if (method !== 'POST' || path !== '/v1/audio/transcriptions') {
      response.writeHead(404).end();
      return;
    }
    const type = headers['content-type'] ?? '';
    const form = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } }).formData();
    const file = form.get('file');
    if (!(file instanceof File)) throw new Error('The request has no file.');
    const request: TranscriptionRequest = {
      model: textOf(form.get('model')),
      format: textOf(form.get('response_format')),
      granularities: form.getAll('timestamp_granularities[]').map(textOf),
      fileName: file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
      authorization: headers.authorization,
      index: transcriptions.length,
    };
    transcriptions.push(request);
    send(response, await reply(request));
  });
  return {
    ...server,
    baseUrl: `${server.url}/v1`,
    transcriptions,
    reply: (next) => {
      reply = next;
    },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'silent') return;
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify({ error: { message: reply.message ?? 'No.' } }));
    return;
  }
  const body = JSON.stringify('json' in reply ? reply.json : reply.cut);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  if ('json' in reply) response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.destroy());
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
