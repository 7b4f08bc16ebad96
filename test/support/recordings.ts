// Recordings of tones and silences, which are cheap to generate and to read.

/** Part of a recording, in seconds; a silence has no tone. */
interface RecordedPart {
  readonly seconds: number;
  readonly isSilent?: boolean;
}

const WAV_RATE = 8_000;

/** Returns a WAV file of 16-bit samples in one channel. */
export function makeWav(parts: readonly RecordedPart[], rate = WAV_RATE): Uint8Array {
  const counts = parts.map(({ seconds }) => Math.round(seconds * rate));
  const samples = new Int16Array(counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const [i, count] of counts.entries()) {
    if (parts[i]?.isSilent !== true)
      for (let j = 0; j < count; j++) samples[at + j] = j % 20 < 10 ? 9_000 : -9_000;
    at += count;
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([head, new Uint8Array(samples.buffer)]);
}
