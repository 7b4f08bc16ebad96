import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { AudioPart, PartTranscript } from '../../../answers/models/openai-transcription.ts';
import { NotebookError, throwIfCanceled, type ErrorCode } from '../../../core/domain/errors.ts';
import type { RecordedSound, RecordingPart, RecordingPlan } from '../../../core/domain/recordings.ts';
import { joinTranscripts, type TranscribedPart } from './join-transcripts.ts';
import { segmentKey, type StoredSegments } from './stored-segments.ts';
import { writeCaptions } from './write-captions.ts';

/** Model that transcribes, and its endpoint. */
export interface TranscriptionModel {
  readonly baseUrl: string;
  readonly name: string;
}

interface TranscribeOptions {
  readonly model: TranscriptionModel;
  /** Transcripts of parts that are stored already. */
  readonly segments: StoredSegments;
  /** Returns the sound of a part. @throws NotebookError */
  readonly cut: (part: RecordingPart) => Promise<RecordedSound>;
  /** Transcribes a part. @throws NotebookError */
  readonly send: (part: AudioPart) => Promise<PartTranscript>;
  readonly signal: AbortSignal;
  /** Reports the seconds that are transcribed. */
  readonly onProgress: (seconds: number) => void;
}

/** Failures that another part would meet, too. */
const LASTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['unauthorized', 'forbidden', 'not-found', 'unsupported', 'rate-limited', 'connection'] as const),
  ...(['disk-full', 'too-large', 'internal', 'cancelled', 'broken-off', 'damaged'] as const),
]);
/** Maximum number of consecutive failed parts before giving up. */
const MAX_FAILURES_IN_ROW = 3;

const spokenTexts = v.array(
  v.object({ text: v.string(), from: v.number(), to: v.number(), speaker: v.optional(v.string()) }),
);
const storedPart = v.object({
  from: v.number(),
  transcript: v.object({ segments: spokenTexts, words: spokenTexts }),
});

/**
 * Transcribes a recording part by part, and returns the transcript as WebVTT; without captions if nobody speaks. Stores
 * each part immediately, so that it isn't sent again. Retries a failed part once after the others.
 * @throws NotebookError `cancelled`, or the reason why a part failed
 */
export async function transcribeRecording(plan: RecordingPlan, options: TranscribeOptions): Promise<string> {
  const { model, segments, signal, onProgress } = options;
  const transcribed = new Map<RecordingPart, TranscribedPart>();
  for (const part of plan.parts) {
    const stored = await loadPart(plan, part, options);
    if (stored !== undefined) transcribed.set(part, stored);
  }
  const report = (): void => onProgress(secondsOf(plan, new Set(transcribed.keys())));
  report();
  let missing = plan.parts.filter((part) => !transcribed.has(part));
  for (const isLast of [false, true]) {
    const failed: RecordingPart[] = [];
    let inRow = 0;
    for (const part of missing) {
      throwIfCanceled(signal);
      try {
        transcribed.set(part, await transcribePart(plan, part, options));
        inRow = 0;
        report();
      } catch (error) {
        const mayPass = error instanceof NotebookError && !LASTING.has(error.code);
        inRow++;
        if (isLast || !mayPass || inRow >= MAX_FAILURES_IN_ROW) throw error;
        failed.push(part);
      }
    }
    missing = failed;
  }
  await segments.clear(new Set(plan.parts.map((part) => keyOf(plan, part, model))));
  const parts = plan.parts.flatMap((part) => transcribed.get(part) ?? []);
  return writeCaptions(
    joinTranscripts(parts),
    t('Transcribed by {0} at {1}', model.name, URL.parse(model.baseUrl)?.host ?? model.baseUrl),
  );
}

async function transcribePart(
  plan: RecordingPlan,
  part: RecordingPart,
  { model, segments, cut, send }: TranscribeOptions,
): Promise<TranscribedPart> {
  const { from, ...sound } = await cut(part);
  const transcript = await send(sound);
  const bytes = new TextEncoder().encode(JSON.stringify({ from, transcript }));
  await segments.keep(keyOf(plan, part, model), bytes);
  return { from, to: part.to, transcript };
}

/** Returns the stored transcript of a part; undefined if there is none, or it is damaged. */
async function loadPart(
  plan: RecordingPlan,
  part: RecordingPart,
  { model, segments }: TranscribeOptions,
): Promise<TranscribedPart | undefined> {
  const bytes = await segments.find(keyOf(plan, part, model));
  if (bytes === undefined) return undefined;
  try {
    const parsed = v.safeParse(storedPart, JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? { ...parsed.output, to: part.to } : undefined;
  } catch {
    // A damaged part is transcribed again.
    return undefined;
  }
}

/** Returns the length of some parts in seconds, without their overlap with the previous part. */
function secondsOf({ parts }: RecordingPlan, some: ReadonlySet<RecordingPart>): number {
  return parts.reduce((sum, part, i) => {
    const end = parts[i - 1]?.to ?? 0;
    return some.has(part) ? sum + Math.max(0, part.to - Math.max(part.from, end)) : sum;
  }, 0);
}

function keyOf({ hash }: RecordingPlan, { from, to }: RecordingPart, model: TranscriptionModel): string {
  return segmentKey([model.baseUrl, model.name, hash, from.toFixed(3), to.toFixed(3)]);
}
