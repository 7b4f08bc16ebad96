/** Reports whether a media type is that of audio or video. */
export function isRecordingType(mediaType: string): boolean {
  return /^(?:audio|video)\//.test(mediaType);
}

/** Media types with the codec of each kind of track, for example `audio/mp4; codecs="mp4a.40.2"`. */
export interface RecordingCodecs {
  readonly audio?: string;
  readonly video?: string;
}

/** Duration and tracks of a recording. */
export interface RecordingDetails {
  /** Media type, for example `video/mp4`; an audio type if the recording has no picture. */
  readonly mediaType: string;
  /** In seconds. */
  readonly duration: number;
  readonly codecs: RecordingCodecs;
}

/** Chapter of a recording. */
export interface RecordingChapter {
  readonly title: string;
  /** Time at which it starts, in seconds. */
  readonly from: number;
}

/** Chapters that a model generated, by the keys of their recordings (`recordingKey`). */
export type GeneratedChapters = Readonly<Record<string, readonly RecordingChapter[]>>;

/** Names that the user gave speakers, by their names in the captions. */
export type SpeakerNames = Readonly<Record<string, string>>;

/** Speaker that captions name. */
export interface Speaker {
  readonly name: string;
  /** Number of captions. */
  readonly captions: number;
  /** Beginning of the speaker's first words. */
  readonly words: string;
}

/** Part of a recording, in seconds from its start. */
export interface RecordingPart {
  readonly from: number;
  readonly to: number;
}

/** Parts in which a recording is transcribed. Neighbors overlap by a few seconds. */
export interface RecordingPlan {
  /** SHA-256 of the file as lowercase hexadecimal digits. */
  readonly hash: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** In seconds. */
  readonly duration: number;
  readonly parts: readonly RecordingPart[];
}

/** Sound of a part of a recording as an audio file. */
export interface RecordedSound {
  readonly bytes: Uint8Array;
  /** Name with the extension of its format, for example `audio.m4a`. */
  readonly name: string;
  readonly mediaType: string;
  /** Time in the recording at which the sound starts, in seconds. */
  readonly from: number;
}

/** Number of digits of a content hash that are those of the recording; the others are those of its captions. */
const RECORDING_DIGITS = 32;

/** Returns the content hash of a recording with its captions by the SHA-256 of each, as hexadecimal digits. */
export function hashWithCaptions(recording: string, captions: string): string {
  return recording.slice(0, RECORDING_DIGITS) + captions.slice(RECORDING_DIGITS);
}

/** Reports whether the content hash of a recording with captions has the SHA-256 of a recording. */
export function isHashOfRecording(hash: string, recording: string): boolean {
  return hash.slice(0, RECORDING_DIGITS) === recording.slice(0, RECORDING_DIGITS);
}

/** Returns the name of the stored transcript of a recording by the size in bytes and the SHA-256 of its file. */
export function transcriptName({ size, hash }: Pick<RecordingPlan, 'size' | 'hash'>): string {
  return `${String(size)}-${hash}.vtt`;
}

/** Returns the key of a recording's generated chapters by the SHA-256 of its file. */
export function recordingKey(hash: string): string {
  return hash.slice(0, RECORDING_DIGITS);
}

const RECORDING_NAME = /\.(?:mp3|m4[abv]|mp4|mov|mkv|webm|wav|og[agv]|opus|flac|aac)$/i;

/** Reports whether a file has the extension of an audio or video file that can be read. */
export function isRecordingName(name: string): boolean {
  return RECORDING_NAME.test(name);
}

const CAPTIONS_NAME = /\.(vtt|srt|json3|srv[13])$/i;
const CHAPTERS_NAME = /\.chapters\.vtt$/i;

/** Reports whether a file has the extension of captions. */
export function isCaptionsName(name: string): boolean {
  return CAPTIONS_NAME.test(name);
}

/**
 * Reports whether captions or chapters belong to a recording by their names: `talk.vtt`, `talk.en.srt`, `talk.mp4.vtt`,
 * and `talk.chapters.vtt` belong to `talk.mp4`. Zoom adds the size of the picture to the name of a video, and
 * `transcript` to that of its captions.
 */
export function belongsToRecording(name: string, recording: string): boolean {
  if (!isCaptionsName(name) || !isRecordingName(recording)) return false;
  const stem = name.replace(CAPTIONS_NAME, '').toLowerCase();
  return [recording.replace(RECORDING_NAME, ''), captionsStem(recording)].some((beginning) => {
    const rest = stem.startsWith(beginning.toLowerCase()) ? stem.slice(beginning.length) : undefined;
    return rest !== undefined && /^(?:\.[a-z\d_-]{1,30}){0,2}$/.test(rest);
  });
}

/** Returns the stem that the names of a recording and its captions share, without a picture size. */
export function captionsStem(recording: string): string {
  return recording.replace(RECORDING_NAME, '').replace(/_\d{2,5}x\d{2,5}$/, '');
}

/** Names of the files that belong to a recording. */
interface RecordingFiles {
  readonly captions: string | undefined;
  readonly chapters: string | undefined;
}

/** Extensions of captions, the best one first: WebVTT can name the speakers. */
const CAPTIONS_EXTENSIONS = ['vtt', 'srt', 'json3', 'srv3', 'srv1'];

/**
 * Returns the captions and the chapters of a recording among the names in its folder. Those with the shortest name win,
 * because others are translations.
 */
export function filesOfRecording(recording: string, names: readonly string[]): RecordingFiles {
  const rank = (name: string): number =>
    CAPTIONS_EXTENSIONS.indexOf(CAPTIONS_NAME.exec(name)?.[1]?.toLowerCase() ?? '');
  const sorted = names
    .filter((name) => belongsToRecording(name, recording))
    .sort((a, b) => a.split('.').length - b.split('.').length || rank(a) - rank(b) || (a < b ? -1 : 1));
  return {
    captions: sorted.find((name) => !CHAPTERS_NAME.test(name)),
    chapters: sorted.find((name) => CHAPTERS_NAME.test(name)),
  };
}

/** Returns paths without captions and chapters that are read with the recording beside them. */
export function withoutUsedCaptions(paths: readonly string[]): string[] {
  const used = new Set<string>();
  for (const [folder, inFolder] of Map.groupBy(paths, folderOf)) {
    const names = inFolder.map((path) => path.slice(folder.length));
    const candidates = names.filter(isCaptionsName);
    if (candidates.length === 0) continue;
    for (const recording of names.filter(isRecordingName)) {
      const { captions, chapters } = filesOfRecording(recording, candidates);
      for (const name of [captions, chapters]) if (name !== undefined) used.add(folder + name);
    }
  }
  return used.size === 0 ? [...paths] : paths.filter((path) => !used.has(path));
}

/** Returns the folder of a path, with the slash at its end. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Formats seconds as `0:07`, `12:30`, or `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return `${hours > 0 ? `${String(hours)}:${two(minutes)}` : String(minutes)}:${two(whole % 60)}`;
}
