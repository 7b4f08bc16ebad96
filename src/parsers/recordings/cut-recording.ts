import { t } from '@vscode/l10n';
import type { AudioSample, InputAudioTrack, Input, OutputFormat } from 'mediabunny';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import {
  captionsStem,
  type RecordedSound,
  type RecordingPart,
  type RecordingPlan,
} from '../../core/domain/recordings.ts';
import type { ReadRequest } from '../api.ts';
import { hashRecording } from './hash-recording.ts';
import { withRecording } from './open-recording.ts';
import { wavFile } from './wav.ts';

type Recording = Pick<ReadRequest, 'content' | 'name'>;

/** Maximum length of a recording to transcribe, in hours. */
const MAX_HOURS = 8;

/** Maximum length of a part, in seconds. A slow server on this machine transcribes it before its request times out. */
const MAX_SECONDS = 300;
/** Maximum size of a part, in bytes. Servers accept 25 MB. */
const MAX_BYTES = 20_000_000;
/** Factor by which a part may have more bytes than the average. */
const BYTES_RESERVE = 1.25;
/** Packets whose sizes are averaged. */
const AVERAGED_PACKETS = 2_000;

/** Seconds by which neighboring parts overlap. */
const OVERLAP = 2;
/** Length of the end of a part in which a silence is searched, in seconds. */
const SEARCHED = 60;
/** Unit in which loudness is measured, in seconds, and number of units that a silence has at least. */
const UNIT = 0.25;
const SILENT_UNITS = 2;

/** Maximum samples per second of a part. Speech recognition uses no more. */
const MAX_RATE = 16_000;

/**
 * Returns the parts in which a recording is transcribed, cut at silences.
 * @throws NotebookError `unsupported` if it has no sound or an unknown format, `too-large` if it is too long, `damaged`,
 * and as reading a file does
 */
export async function planRecording(
  { content, name }: Recording,
  signal?: AbortSignal,
): Promise<RecordingPlan> {
  const { duration, parts } = await withRecording(content, name, async (input) => {
    const track = await audioTrack(input, name);
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    if (!Number.isFinite(seconds) || seconds <= 0) throw new Error('The recording has no duration.');
    if (seconds > MAX_HOURS * 3600)
      throw new NotebookError(
        'too-large',
        t('{0} is longer than {1} hours. Split it, then transcribe the parts.', name, MAX_HOURS),
      );
    const cuts = await findCuts(track, seconds, signal);
    return {
      duration: seconds,
      parts: cuts.slice(1).map((to, i) => ({
        from: Math.max(0, (cuts[i] ?? 0) - (i === 0 ? 0 : OVERLAP / 2)),
        to: Math.min(seconds, to + OVERLAP / 2),
      })),
    };
  });
  return { ...(await hashRecording(content, name, signal)), duration, parts };
}

/**
 * Returns the sound of a part of a recording. Compressed sound stays as it is, other sound gets one channel.
 * @throws NotebookError as `planRecording` does
 */
export async function cutRecording(
  { content, name }: Recording,
  part: RecordingPart,
  signal?: AbortSignal,
): Promise<RecordedSound> {
  return await withRecording(content, name, async (input) => {
    const track = await audioTrack(input, name);
    return (await isUncompressed(track))
      ? await cutSamples(track, part, signal)
      : await cutPackets(track, part, name, signal);
  });
}

/** @throws NotebookError `unsupported` */
async function audioTrack(input: Input, name: string): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack();
  const captions = `${captionsStem(name)}.vtt`;
  if (track === null)
    throw new NotebookError(
      'unsupported',
      t('{0} has no audio to transcribe. Save captions as {1} in the same folder.', name, captions),
    );
  if ((await track.getCodec()) === null)
    throw new NotebookError(
      'unsupported',
      t('Can’t extract the audio from {0}. Save the audio as M4A or MP3, then add that file.', name),
    );
  return track;
}

async function isUncompressed(track: InputAudioTrack): Promise<boolean> {
  return /^(?:pcm|ulaw|alaw)/.test((await track.getCodec()) ?? '');
}

/** Returns the times of the cuts in seconds, with the start and the end of the recording. */
async function findCuts(
  track: InputAudioTrack,
  duration: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  let longest = MAX_SECONDS;
  const isPlain = await isUncompressed(track);
  if (!isPlain) {
    const { averageBitrate } = await track.computePacketStats(AVERAGED_PACKETS);
    if (averageBitrate > 0)
      longest = Math.min(longest, (8 * MAX_BYTES) / (averageBitrate * BYTES_RESERVE) - OVERLAP);
  }
  const cuts = [0];
  for (let start = 0; duration - start > longest;) {
    throwIfCanceled(signal);
    const end = start + longest;
    const from = end - Math.min(SEARCHED, longest / 2);
    const loudness = await (isPlain ? loudnessOfSamples : sizesOfPackets)(track, from, end);
    start = from + UNIT * quietest(loudness);
    cuts.push(start);
  }
  return [...cuts, duration];
}

/** Returns the middle of the quietest units, the last ones if several are equally quiet. */
function quietest(loudness: Float64Array): number {
  let [best, least] = [loudness.length, Infinity];
  for (let i = 0; i + SILENT_UNITS <= loudness.length; i++) {
    const sum = loudness.subarray(i, i + SILENT_UNITS).reduce((a, b) => a + b, 0);
    if (sum <= least) [best, least] = [i + SILENT_UNITS / 2, sum];
  }
  return best;
}

/** Returns the loudness of each unit of a part. */
async function loudnessOfSamples(track: InputAudioTrack, from: number, to: number): Promise<Float64Array> {
  const loudness = new Float64Array(Math.ceil((to - from) / UNIT));
  await eachSample(track, { from, to }, (values, start, rate) => {
    for (let i = 0; i < values.length; i++) {
      const unit = Math.floor((start + i / rate - from) / UNIT);
      if (unit >= 0 && unit < loudness.length)
        loudness[unit] = (loudness[unit] ?? 0) + Math.abs(values[i] ?? 0);
    }
  });
  return loudness;
}

/** Returns the bytes in each unit of a part: encoders with a variable bit rate use few for silence. */
async function sizesOfPackets(track: InputAudioTrack, from: number, to: number): Promise<Float64Array> {
  const { EncodedPacketSink } = await import('mediabunny');
  const sizes = new Float64Array(Math.ceil((to - from) / UNIT));
  const sink = new EncodedPacketSink(track);
  const options = { metadataOnly: true };
  const first = (await sink.getPacket(from, options)) ?? undefined;
  for await (const packet of sink.packets(first, undefined, options)) {
    if (packet.timestamp >= to) break;
    // A packet may reach over several units.
    const units = Math.max(1, Math.round(packet.duration / UNIT));
    const at = Math.floor((packet.timestamp - from) / UNIT);
    for (let unit = Math.max(0, at); unit < Math.min(sizes.length, at + units); unit++)
      sizes[unit] = (sizes[unit] ?? 0) + packet.byteLength / units;
  }
  return sizes;
}

/** Returns uncompressed sound as a WAV file of one channel. */
async function cutSamples(
  track: InputAudioTrack,
  part: RecordingPart,
  signal: AbortSignal | undefined,
): Promise<RecordedSound> {
  const rate = await track.getSampleRate();
  const outRate = Math.min(rate, MAX_RATE);
  const out = new Int16Array(Math.ceil((part.to - part.from) * outRate) + 1);
  const step = rate / outRate;
  let [length, sum, count] = [0, 0, 0];
  let read = 0;
  await eachSample(track, part, (values, start) => {
    throwIfCanceled(signal);
    for (let i = 0; i < values.length; i++) {
      const time = start + i / rate;
      if (time < part.from || time >= part.to) continue;
      sum += values[i] ?? 0;
      count++;
      read++;
      if (read < (length + 1) * step || length === out.length) continue;
      out[length++] = Math.round(Math.max(-1, Math.min(1, sum / count)) * 32_767);
      [sum, count] = [0, 0];
    }
  });
  const bytes = wavFile(out.subarray(0, length), outRate);
  return { bytes, name: 'audio.wav', mediaType: 'audio/wav', from: part.from };
}

/** Calls a function with the decoded samples of a part, averaged over the channels, and the time of the first one. */
async function eachSample(
  track: InputAudioTrack,
  { from, to }: RecordingPart,
  use: (values: Float32Array, start: number, rate: number) => void,
): Promise<void> {
  const { AudioSampleSink } = await import('mediabunny');
  for await (const sample of new AudioSampleSink(track).samples(from, to)) {
    use(oneChannel(sample), sample.timestamp, sample.sampleRate);
    sample.close();
  }
}

function oneChannel(sample: AudioSample): Float32Array {
  const { numberOfFrames, numberOfChannels } = sample;
  const mixed = new Float32Array(numberOfFrames);
  const channel = new Float32Array(numberOfFrames);
  for (let planeIndex = 0; planeIndex < numberOfChannels; planeIndex++) {
    sample.copyTo(channel, { planeIndex, format: 'f32-planar' });
    for (let i = 0; i < numberOfFrames; i++)
      mixed[i] = (mixed[i] ?? 0) + (channel[i] ?? 0) / numberOfChannels;
  }
  return mixed;
}

/** Returns compressed sound in a container that endpoints accept, without encoding it again. */
async function cutPackets(
  track: InputAudioTrack,
  { from, to }: RecordingPart,
  name: string,
  signal: AbortSignal | undefined,
): Promise<RecordedSound> {
  const media = await import('mediabunny');
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  const formats: readonly (readonly [OutputFormat, string])[] = [
    [new media.Mp3OutputFormat(), 'mp3'],
    [new media.OggOutputFormat(), 'ogg'],
    [new media.FlacOutputFormat(), 'flac'],
    [new media.Mp4OutputFormat(), 'm4a'],
  ];
  const chosen = formats.find(
    ([format]) => codec !== null && format.getSupportedAudioCodecs().includes(codec),
  );
  if (codec === null || decoderConfig === null || chosen === undefined)
    throw new NotebookError(
      'unsupported',
      t('Can’t extract the audio from {0}. Save the audio as M4A or MP3, then add that file.', name),
    );
  const [format, ending] = chosen;
  const target = new media.BufferTarget();
  const output = new media.Output({ format, target });
  const source = new media.EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const sink = new media.EncodedPacketSink(track);
  let start: number | undefined;
  const first = (await sink.getKeyPacket(from)) ?? undefined;
  for await (const packet of sink.packets(first)) {
    throwIfCanceled(signal);
    if (packet.timestamp >= to) break;
    // Encoders start with packets before the time 0.
    start ??= Math.max(0, packet.timestamp);
    const timestamp = packet.timestamp - start;
    if (timestamp >= 0) await source.add(packet.clone({ timestamp }), { decoderConfig });
  }
  if (start === undefined) throw new Error('The part has no sound.');
  await output.finalize();
  return {
    bytes: new Uint8Array(target.buffer ?? new ArrayBuffer(0)),
    name: `audio.${ending}`,
    mediaType: format.mimeType,
    from: start,
  };
}
