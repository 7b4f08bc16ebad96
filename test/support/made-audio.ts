// Audio files as endpoints send them: complete, well-formed, and of one tone or silence.

/** Returns a mono WAV file with 16 bits per sample. A server that streams speech declares no lengths. */
export function makeWav(
  samples: number,
  { rate = 24_000, isStreamed = false, extra = false } = {},
): Uint8Array {
  const data = Buffer.alloc(2 * samples);
  for (let n = 0; n < samples; n++) data.writeInt16LE(Math.round(8_000 * Math.sin(n / 10)), 2 * n);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(2 * rate, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const list = extra ? [chunk('LIST', Buffer.from('INFOISFT\x05\0\0\0Lavf\0\0', 'latin1'))] : [];
  const body = [
    Buffer.from('WAVE'),
    chunk('fmt ', format),
    ...list,
    chunk('data', data, isStreamed ? 0xff_ff_ff_ff : undefined),
  ];
  return new Uint8Array(chunk('RIFF', Buffer.concat(body), isStreamed ? 0xff_ff_ff_ff : undefined));
}

function chunk(tag: string, bytes: Uint8Array, declaredLength = bytes.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(tag, 'latin1');
  head.writeUInt32LE(declaredLength, 4);
  return Buffer.concat([head, bytes]);
}

/** Bytes and seconds per frame of a mono MP3 file with 44,100 samples per second and 128 kbit/s. */
export const MP3_FRAME = { bytes: 417, seconds: 1_152 / 44_100 };

/** Returns an MP3 file of silent frames, with a tag and a frame that declares its length if the encoder writes them. */
export function makeMp3(frames: number, { isTagged = false } = {}): Uint8Array {
  const frame = Buffer.alloc(MP3_FRAME.bytes);
  frame.set([0xff, 0xfb, 0x90, 0xc0]);
  const infoFrame = Buffer.from(frame);
  infoFrame.write('Info', 4 + 17, 'latin1');
  const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 10]), Buffer.alloc(10)]);
  return new Uint8Array(
    Buffer.concat([...(isTagged ? [tag, infoFrame] : []), ...Array.from({ length: frames }, () => frame)]),
  );
}

/** Returns the chunks of a RIFF file with their tags, in order. @throws RangeError if one extends beyond the file */
export function riffChunks(bytes: Uint8Array): { readonly tag: string; readonly bytes: Uint8Array }[] {
  const file = Buffer.from(bytes);
  if (file.readUInt32LE(4) !== file.length - 8) throw new RangeError('The file tells another length.');
  const chunks: { tag: string; bytes: Uint8Array }[] = [];
  for (let at = 12; at < file.length;) {
    const size = file.readUInt32LE(at + 4);
    if (at + 8 + size > file.length) throw new RangeError('A chunk reaches beyond the file.');
    chunks.push({ tag: file.toString('latin1', at, at + 4), bytes: file.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

/** Returns the chapters of a WAV file: cue points by label, in samples. */
export function wavChapters(bytes: Uint8Array): { readonly title: string; readonly sample: number }[] {
  const chunks = riffChunks(bytes);
  const cues = Buffer.from(chunks.find(({ tag }) => tag === 'cue ')?.bytes ?? []);
  const list = Buffer.from(chunks.find(({ tag }) => tag === 'LIST')?.bytes ?? []);
  const titles = new Map<number, string>();
  for (let at = 4; at < list.length;) {
    const size = list.readUInt32LE(at + 4);
    titles.set(list.readUInt32LE(at + 8), list.toString('utf8', at + 12, at + 8 + size).replace(/\0+$/, ''));
    at += 8 + size + (size % 2);
  }
  return Array.from({ length: cues.length < 4 ? 0 : cues.readUInt32LE(0) }, (_, index) => ({
    title: titles.get(cues.readUInt32LE(4 + 24 * index)) ?? '',
    sample: cues.readUInt32LE(4 + 24 * index + 20),
  }));
}

/** Reads the tag of an MP3 file: its title, its chapters in milliseconds, and the start of the sound. */
export function mp3Tag(bytes: Uint8Array): {
  readonly title: string;
  readonly chapters: readonly { readonly title: string; readonly start: number; readonly end: number }[];
  readonly end: number;
} {
  const file = Buffer.from(bytes);
  const sizeAt = (at: number): number =>
    [0, 1, 2, 3].reduce((size, index) => size * 128 + file.readUInt8(at + index), 0);
  const end = 10 + sizeAt(6);
  let title = '';
  const chapters: { title: string; start: number; end: number }[] = [];
  for (let at = 10; at < end; at += 10 + sizeAt(at + 4)) {
    const id = file.toString('latin1', at, at + 4);
    const body = file.subarray(at + 10, at + 10 + sizeAt(at + 4));
    if (id === 'TIT2') title = body.toString('utf8', 1);
    if (id !== 'CHAP') continue;
    const times = body.indexOf(0) + 1;
    chapters.push({
      title: body.toString('utf8', times + 16 + 11),
      start: body.readUInt32BE(times),
      end: body.readUInt32BE(times + 4),
    });
  }
  return { title, chapters, end };
}
