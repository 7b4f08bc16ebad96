import type { SpokenText } from '../../../answers/models/openai-transcription.ts';

/** Caption with a line for each speaker. */
interface Cue {
  readonly lines: readonly Pick<SpokenText, 'text' | 'speaker'>[];
  readonly from: number;
  readonly to: number;
}

/** Writes captions as WebVTT, with a comment on their origin. */
export function writeCaptions(captions: readonly SpokenText[], origin: string): string {
  const cues: Cue[] = [];
  for (const { text, speaker, from, to } of captions) {
    const last = cues.at(-1);
    // WebVTT readers treat a caption that begins like the previous caption as the same caption.
    if (last !== undefined && isAlike(textOf(last), text))
      cues[cues.length - 1] = { lines: withLine(last.lines, { text, speaker }), from: last.from, to };
    else cues.push({ lines: [{ text, speaker }], from, to });
  }
  return [
    'WEBVTT',
    `NOTE ${escapeCaption(origin)}`,
    ...cues.map(({ lines, from, to }) =>
      [
        `${time(from)} --> ${time(to)}`,
        ...lines.map(
          ({ text, speaker }) =>
            `${speaker === undefined ? '' : `<v ${escapeCaption(speaker)}>`}${escapeCaption(text)}`,
        ),
      ].join('\n'),
    ),
    '',
  ].join('\n\n');
}

/** Reports whether one of two texts begins with the other. */
function isAlike(a: string, b: string): boolean {
  return `${a} `.startsWith(`${b} `) || `${b} `.startsWith(`${a} `);
}

function textOf({ lines }: Cue): string {
  return lines.map(({ text }) => text).join(' ');
}

/** Adds a line, or continues the last one if its speaker continues. */
function withLine(lines: Cue['lines'], line: Cue['lines'][number]): Cue['lines'] {
  const last = lines.at(-1);
  return last === undefined || last.speaker !== line.speaker
    ? [...lines, line]
    : [...lines.slice(0, -1), { ...last, text: `${last.text} ${line.text}` }];
}

function time(seconds: number): string {
  const ms = Math.round(Math.max(0, seconds) * 1000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}

function escapeCaption(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\s+/g, ' ');
}
