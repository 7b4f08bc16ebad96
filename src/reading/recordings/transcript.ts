import type { SpokenTimes } from '../../notebook/document.ts';

/** Text of a recording with its times. */
export interface Transcript {
  readonly text: string;
  readonly spoken: SpokenTimes;
}

/** Part of a transcript: its start in the text, and when it is spoken, in seconds. */
interface SpokenPart {
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/** Creates a transcript. A part that starts before the one before it in time, as captions may, starts with that one. */
export function transcript(text: string, parts: readonly SpokenPart[]): Transcript {
  let last = 0;
  const from = parts.map((part) => (last = Math.max(last, part.from)));
  return {
    text,
    spoken: {
      starts: Uint32Array.from(parts, ({ start }) => start),
      from: Float32Array.from(from),
      to: Float32Array.from(parts, ({ to }, i) => Math.max(to, from[i] ?? 0)),
    },
  };
}
