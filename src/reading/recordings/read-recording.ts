import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../notebook/document.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { captionsStem, hashWithCaptions, transcriptName } from '../../notebook/recordings.ts';
import type { ReadRequest, ReadResult } from '../api.ts';
import { openRegularFile } from '../../notebook/regular-file.ts';
import { fileError, readFileBytes } from '../read-file-bytes.ts';
import { readCaptions } from '../subtitles.ts';
import { contentHash } from '../content-hash.ts';
import { hashRecording } from './hash-recording.ts';
import { describeRecording } from './open-recording.ts';
import type { Transcript } from './transcript.ts';

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a recording from the captions beside it, or else from its stored transcript.
 * @throws NotebookError `no-transcript` if there are neither, `empty` if they have no text, `damaged`
 */
export async function readRecording(request: ReadRequest, { signal }: ReadOptions): Promise<ReadResult> {
  const { content, name, knownHash } = request;
  const captions = request.captions ?? (await storedTranscript(request, signal));
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
  const { bytes } =
    captions.content.kind === 'bytes'
      ? captions.content
      : await readFileBytes(captions.content.path, captions.name);
  const hash = hashWithCaptions((await hashRecording(content, name, signal)).hash, contentHash(bytes));
  if (hash === knownHash) return { kind: 'unchanged' };
  const { mediaType } = await describeRecording(content, name);
  const read = readCaptions(bytes);
  if (read.text.trim() === '')
    throw new NotebookError(
      'empty',
      request.captions === undefined
        ? t('{0} has no speech. Check that the recording isn’t silent.', name)
        : t('{0} has no text. Replace or delete it.', captions.name),
    );
  return { kind: 'read', hash, document: documentOfTranscript(read, mediaType) };
}

/** Returns the stored transcript of a recording. Hashes the recording only if a transcript may be its own. */
async function storedTranscript(
  { content, name, transcripts }: ReadRequest,
  signal: AbortSignal | undefined,
): Promise<ReadRequest['captions']> {
  if (transcripts === undefined) return undefined;
  const stored = new Set(await readdir(transcripts).catch(() => []));
  const size = await sizeOf(content, name);
  if (![...stored].some((one) => one.startsWith(`${String(size)}-`))) return undefined;
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
function documentOfTranscript({ text, spoken }: Transcript, mediaType: string): ReadDocument {
  return {
    title: undefined,
    mediaType,
    format: 'prose',
    languageId: undefined,
    text,
    map: { kind: 'saved', spoken },
    headings: [],
    warnings: [],
  };
}
