import type { PartTranscript, SpokenText } from '../../../answers/models/openai-transcription.ts';
import { endsWithMark } from '../../../core/language/sentences.ts';
import type { RecordingPart } from '../../../core/domain/recordings.ts';

/** Transcript of a part of a recording, with the time at which its sound starts, in seconds. */
export interface TranscribedPart extends RecordingPart {
  readonly transcript: PartTranscript;
}

/** Word of a transcript, with the white space before it. Times are in seconds from the start of the recording. */
interface SpokenWord extends SpokenText {
  /** The word without case and punctuation. */
  readonly key: string;
  /** `true` if a new caption starts with it. */
  readonly isStart: boolean;
}

/** Words that two overlapping parts have in common: where they start in each, and their number. */
interface CommonRun {
  readonly a: number;
  readonly b: number;
  readonly count: number;
}

/** Maximum difference between the times of one word in two parts, in seconds. */
const MAX_DIFFERENCE = 2;
/** Maximum difference for a single common word, in seconds: the parts may have misheard different words. */
const MAX_DIFFERENCE_ALONE = 0.5;
/** Number of following timed words among which to search for the next word. */
const LOOK_AHEAD = 6;
/** Seconds by which the time of a word may be outside its segment. */
const SEGMENT_MARGIN = 1;

/** Matches a word. Characters of scripts without spaces are words of their own. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Joins the transcripts of overlapping parts, in order, without words that two of them have. */
export function joinTranscripts(parts: readonly TranscribedPart[]): SpokenText[] {
  let words: SpokenWord[] = [];
  let end = 0;
  for (const part of parts) {
    const next = wordsOf(part);
    words = words.length === 0 ? next : joinWords(words, next, { from: part.from, to: end });
    end = part.to;
  }
  return toCaptions(words);
}

/** Joins words at a seam: up to the end of their longest common run, or else at the middle of the overlap. */
function joinWords(
  before: readonly SpokenWord[],
  after: readonly SpokenWord[],
  seam: RecordingPart,
): SpokenWord[] {
  const firstOfTail = before.findIndex(({ to }) => to >= seam.from - MAX_DIFFERENCE);
  const tail = firstOfTail < 0 ? [] : before.slice(firstOfTail);
  const head = after.filter(({ from }) => from <= seam.to + MAX_DIFFERENCE);
  const run = longestRun(tail, head);
  if (run !== undefined) {
    const rest = after.slice(run.b + run.count);
    return [...before.slice(0, Math.max(0, firstOfTail) + run.a + run.count), ...rest];
  }
  const middle = (seam.from + seam.to) / 2;
  const isBefore = ({ from, to }: SpokenWord): boolean => (from + to) / 2 < middle;
  return [...before.filter(isBefore), ...after.filter((word) => !isBefore(word))];
}

/** Returns the run of the most letters, or of the closest times among equally long ones. */
function longestRun(tail: readonly SpokenWord[], head: readonly SpokenWord[]): CommonRun | undefined {
  let best: (CommonRun & { readonly score: number }) | undefined;
  for (const a of tail.keys())
    for (const b of head.keys()) {
      let [count, score] = [0, 0];
      let farthest = 0;
      for (;;) {
        const [one, other] = [tail[a + count], head[b + count]];
        if (one === undefined || other === undefined || one.key !== other.key) break;
        const difference = Math.abs(one.from - other.from);
        if (difference > MAX_DIFFERENCE) break;
        farthest = Math.max(farthest, difference);
        score += one.key.length * (1 - difference / (2 * MAX_DIFFERENCE));
        count++;
      }
      if (count === 1 && farthest > MAX_DIFFERENCE_ALONE) continue;
      if (count > 0 && score > (best?.score ?? 0)) best = { a, b, count, score };
    }
  return best;
}

/** Returns the words of a part. A word without a time of its own gets its share of the segment's time. */
function wordsOf({ from: start, transcript }: TranscribedPart): SpokenWord[] {
  const times = transcript.words;
  const segments = transcript.segments.length > 0 ? transcript.segments : segmentsOf(times);
  let next = 0;
  return segments.flatMap((segment) => {
    const { from, to, speaker } = segment;
    const text = segment.text.trim();
    const perLetter = (to - from) / Math.max(1, text.length);
    while ((times[next]?.from ?? Infinity) < from - SEGMENT_MARGIN) next++;
    let before = 0;
    return [...text.matchAll(WORDS)].map(({ 0: word, index }): SpokenWord => {
      const key = keyOf(word);
      const ahead = times
        .slice(next, next + LOOK_AHEAD)
        .findIndex((time) => time.from <= to + SEGMENT_MARGIN && keyOf(time.text) === key);
      const time = ahead < 0 ? undefined : times[next + ahead];
      if (time !== undefined) next += ahead + 1;
      const end = index + word.length;
      const spaced = text.slice(before, end);
      before = end;
      return {
        text: spaced,
        key,
        isStart: index === 0,
        from: start + (time?.from ?? from + index * perLetter),
        to: start + (time?.to ?? from + end * perLetter),
        ...(speaker !== undefined && { speaker }),
      };
    });
  });
}

/** Returns words as segments, for endpoints that return nothing else. */
function segmentsOf(words: readonly SpokenText[]): SpokenText[] {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isSpaced = words.every(({ text }) => !/^\s/.test(text));
  return [{ text: words.map(({ text }) => text).join(isSpaced ? ' ' : ''), from: first.from, to: last.to }];
}

/** Returns words as captions: a new one starts with each sentence, each segment, and each speaker. */
function toCaptions(words: readonly SpokenWord[]): SpokenText[] {
  const captions: { text: string; from: number; to: number; speaker?: string | undefined }[] = [];
  let hasEnded = true;
  for (const { text, from, to, speaker, isStart } of words) {
    const last = captions.at(-1);
    if (last === undefined || hasEnded || isStart || last.speaker !== speaker)
      captions.push({ text: text.trim(), from, to, ...(speaker !== undefined && { speaker }) });
    else {
      last.text += text;
      last.to = Math.max(last.to, to);
    }
    hasEnded = endsWithMark(text);
  }
  return captions;
}

function keyOf(word: string): string {
  const key = word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return key === '' ? word.trim() : key;
}
