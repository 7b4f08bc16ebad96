import { t } from '@vscode/l10n';
import { askAll } from '../../../answers/models/ask-all.ts';
import type { SpeechRequest } from '../../../answers/models/openai-speech.ts';
import { NotebookError, throwIfCanceled, type ErrorCode } from '../../../core/domain/errors.ts';
import {
  audioFormat,
  checkAudio,
  joinAudio,
  type AudioFile,
  type AudioFormat,
} from '../../recordings/service/audio-file.ts';
import { segmentKey, type StoredSegments } from '../../recordings/service/stored-segments.ts';
import type { Chapter, Segment } from './script.ts';

/** Script with the endpoint, model, and voices that generate its speech. */
export interface Speaking {
  readonly title: string;
  readonly chapters: readonly Chapter[];
  /** URL of the endpoint. Saved segments are reused only with the same endpoint and model. */
  readonly baseUrl: string;
  readonly model: string;
  /** Voices of the speakers in the order of their first turn. If there are more speakers, the voices repeat. */
  readonly voices: readonly string[];
  readonly format: AudioFormat;
}

interface SpeechOptions {
  readonly segments: StoredSegments;
  /** Synthesizes one segment. @throws NotebookError */
  readonly speak: (request: SpeechRequest) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SpeakingProgress) => void;
}

/** Number of spoken segments, and the next speaker. */
interface SpeakingProgress {
  readonly done: number;
  readonly total: number;
  readonly speaker: string;
}

/** Failures that another segment would meet, too. */
const LASTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['unauthorized', 'forbidden', 'not-found', 'unsupported', 'rate-limited'] as const),
  ...(['connection', 'disk-full', 'too-large', 'internal', 'cancelled'] as const),
]);
/** Maximum number of consecutive failed segments before giving up. */
const MAX_FAILURES_IN_ROW = 3;

/** Segment with the key of its saved sound. */
interface SegmentRequest {
  readonly key: string;
  readonly segment: Segment;
  readonly voice: string;
}

/** Counts the segments of a script that are already spoken. */
export async function countSpoken(
  speaking: Speaking,
  segments: StoredSegments,
): Promise<{ readonly done: number; readonly total: number; readonly characters: number }> {
  const requests = listSegments(speaking);
  let [done, characters] = [0, 0];
  for (const { key, segment } of requests)
    if (await segments.has(key)) done++;
    else characters += segment.text.length;
  return { done, total: requests.length, characters };
}

/**
 * Synthesizes a script segment by segment and joins the results. Saves each segment immediately, so that it isn't
 * requested again. Retries a failed segment once after the others.
 * @throws NotebookError `cancelled`, or the reason why a segment failed
 */
export async function speakScript(speaking: Speaking, options: SpeechOptions): Promise<AudioFile> {
  const { segments: storedSegments, signal, onProgress } = options;
  const segments = listSegments(speaking);
  const total = segments.length;
  // Generate speech only once for repeated text.
  const alike = Map.groupBy(segments, ({ key }) => key);
  let missing: SegmentRequest[] = [];
  for (const [first] of alike.values())
    if (first !== undefined && !(await storedSegments.has(first.key))) missing.push(first);
  let done = total - missing.reduce((sum, { key }) => sum + (alike.get(key)?.length ?? 0), 0);
  for (const isLast of [false, true]) {
    let inRow = 0;
    const failed = await askAll(missing, async (request) => {
      throwIfCanceled(signal);
      onProgress({ done, total, speaker: request.segment.speaker });
      try {
        await speakOne(request, speaking, options);
        done += alike.get(request.key)?.length ?? 0;
        inRow = 0;
        onProgress({ done, total, speaker: request.segment.speaker });
        return [];
      } catch (error) {
        const mayPass = error instanceof NotebookError && !LASTING.has(error.code);
        if (isLast || !mayPass || ++inRow >= MAX_FAILURES_IN_ROW) throw error;
        return [request];
      }
    });
    missing = failed.flat();
  }
  await storedSegments.clear(new Set(segments.map(({ key }) => key)));
  const load = async (key: string): Promise<Uint8Array> => {
    throwIfCanceled(signal);
    const bytes = await storedSegments.find(key);
    if (bytes !== undefined) return bytes;
    throw new NotebookError('not-found', t('A saved audio segment is missing. Try again.'), {
      action: 'tryAgain',
    });
  };
  const chapters = speaking.chapters.map(({ title, segments }) => ({
    title,
    segments: segments.map((segment) => () => load(toSegmentRequest(segment, speaking).key)),
  }));
  return await joinAudio(speaking.title, speaking.format, chapters);
}

async function speakOne(
  { key, segment, voice }: SegmentRequest,
  { baseUrl, format }: Speaking,
  { segments: storedSegments, speak }: SpeechOptions,
): Promise<void> {
  const bytes = await speak({ text: segment.text, voice, format });
  const got = audioFormat(bytes);
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  if (got === undefined)
    throw new NotebookError(
      'unsupported',
      t('The audio from {0} is neither WAV nor MP3. Choose another endpoint or model in Settings.', host),
      { action: 'openSettings' },
    );
  if (got !== format)
    throw new NotebookError(
      'unsupported',
      t('{0} supports only {1}. Use a file name that ends in {2}.', host, got.toUpperCase(), `.${got}`),
      { action: 'tryAgain' },
    );
  checkAudio(format, bytes);
  await storedSegments.keep(key, bytes);
}

function listSegments(speaking: Speaking): SegmentRequest[] {
  return speaking.chapters.flatMap(({ segments }) =>
    segments.map((segment) => toSegmentRequest(segment, speaking)),
  );
}

function toSegmentRequest(segment: Segment, { baseUrl, model, voices, format }: Speaking): SegmentRequest {
  const voice = voices[segment.voice % voices.length] ?? '';
  return { key: segmentKey([baseUrl, model, voice, format, segment.text]), segment, voice };
}
