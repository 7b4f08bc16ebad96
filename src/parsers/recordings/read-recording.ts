import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import {
  captionsStem,
  hashWithCaptions,
  recordingKey,
  transcriptName,
  type RecordingChapter,
  type Speaker,
} from '../../core/domain/recordings.ts';
import type { ReadRequest, ReadResult } from '../api.ts';
import { openRegularFile } from '../../core/domain/regular-file.ts';
import { fileError, readFileBytes } from '../read-file-bytes.ts';
import { readCaptions, readChapterCues, speakersIn } from '../subtitles.ts';
import { contentHash } from '../content-hash.ts';
import { hashRecording } from './hash-recording.ts';
import { describeRecording } from './open-recording.ts';
import { normalizeChapters, readChapters } from './read-chapters.ts';
import { chapterHeadings, type Transcript } from './transcript.ts';

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a recording from the captions beside it, or else from its stored transcript.
 * @throws NotebookError `no-transcript` if there are neither, `empty` if they have no text, `damaged`
 */
export async function readRecording(request: ReadRequest, { signal }: ReadOptions): Promise<ReadResult> {
  const { content, name, knownHash, speakers = {}, generatedChapters = {} } = request;
  const captions = await captionsBytes(request, signal);
  if (captions === undefined) {
    // A damaged file is reported as such.
    await describeRecording(content, name);
    throw new NotebookError(
      'no-transcript',
      t(
        '{0} has no transcript. Run “Transcribe…”, or save captions as {1} in the same folder.',
        name,
        `${captionsStem(name)}.vtt`,
      ),
    );
  }
  const { bytes } = captions;
  const file = await hashRecording(content, name, signal);
  const generated = generatedChapters[recordingKey(file.hash)];
  const beside = generated === undefined ? await chaptersBeside(request) : undefined;
  const names = Object.entries(speakers).sort(([a], [b]) => (a < b ? -1 : 1));
  const hashedParts = [
    bytes,
    ...(names.length === 0 ? [] : [bytesOf(names)]),
    ...(generated === undefined ? [] : [bytesOf(generated.map(({ from, title }) => [from, title]))]),
    ...(beside === undefined ? [] : [beside]),
  ];
  const hash = hashWithCaptions(
    file.hash,
    contentHash(hashedParts.length === 1 ? bytes : Buffer.concat(hashedParts)),
  );
  if (hash === knownHash) return { kind: 'unchanged' };
  const { mediaType } = await describeRecording(content, name);
  const read = readCaptions(bytes, speakers);
  if (read.text.trim() === '')
    throw new NotebookError(
      'empty',
      request.captions === undefined
        ? t('{0} has no speech. Check that the recording isn’t silent.', name)
        : t('{0} has no text. Replace or delete it.', captions.name),
    );
  const ownChapters = generated ?? (beside && readChapterCues(beside));
  const chapters =
    ownChapters === undefined ? await readChapters(content, name) : normalizeChapters(ownChapters);
  return { kind: 'read', hash, document: documentOfTranscript(read, mediaType, chapters) };
}

function bytesOf(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** Returns the chapters beside a recording, as WebVTT; undefined if they have none. */
async function chaptersBeside({ chapters }: ReadRequest): Promise<Uint8Array | undefined> {
  if (chapters === undefined) return undefined;
  const { content, name } = chapters;
  const { bytes } = content.kind === 'bytes' ? content : await readFileBytes(content.path, name);
  return readChapterCues(bytes).length === 0 ? undefined : bytes;
}

/**
 * Returns the speakers that the captions or the transcript of a recording name; empty without either.
 * @throws NotebookError as reading a file does
 */
export async function listSpeakers(
  request: Pick<ReadRequest, 'captions' | 'content' | 'name' | 'transcripts'>,
  signal?: AbortSignal,
): Promise<readonly Speaker[]> {
  const captions = await captionsBytes(request, signal);
  return captions === undefined ? [] : speakersIn(captions.bytes);
}

/** Returns the captions beside a recording, or else its stored transcript. */
async function captionsBytes(
  request: Pick<ReadRequest, 'captions' | 'content' | 'name' | 'transcripts'>,
  signal: AbortSignal | undefined,
): Promise<{ readonly name: string; readonly bytes: Uint8Array } | undefined> {
  const captions = request.captions ?? (await storedTranscript(request, signal));
  if (captions === undefined) return undefined;
  const { name, content } = captions;
  const { bytes } = content.kind === 'bytes' ? content : await readFileBytes(content.path, name);
  return { name, bytes };
}

/** Returns the stored transcript of a recording. Hashes the recording only if a transcript may be its own. */
async function storedTranscript(
  { content, name, transcripts }: Pick<ReadRequest, 'content' | 'name' | 'transcripts'>,
  signal: AbortSignal | undefined,
): Promise<ReadRequest['captions']> {
  if (transcripts === undefined) return undefined;
  const stored = new Set(await readdir(transcripts).catch(() => []));
  const size = await sizeOf(content, name);
  if (![...stored].some((storedName) => storedName.startsWith(`${String(size)}-`))) return undefined;
  const file = transcriptName(await hashRecording(content, name, signal));
  return stored.has(file)
    ? { name: file, content: { kind: 'path', path: join(transcripts, file) } }
    : undefined;
}

async function sizeOf(content: ReadRequest['content'], name: string): Promise<number> {
  if (content.kind === 'bytes') return content.bytes.length;
  try {
    const file = await openRegularFile(content.path, { name });
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, name);
  }
}

/** Returns a transcript as the document of its recording. */
function documentOfTranscript(
  { text, spoken }: Transcript,
  mediaType: string,
  chapters: readonly RecordingChapter[],
): ReadDocument {
  return {
    mediaType,
    format: 'prose',
    text,
    map: { kind: 'saved', spoken },
    headings: chapterHeadings(chapters, spoken),
    warnings: [],
  };
}
