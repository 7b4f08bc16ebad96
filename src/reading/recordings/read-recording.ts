import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../notebook/document.ts';
import { NotebookError, throwIfCanceled } from '../../notebook/errors.ts';
import { openRegularFile } from '../../notebook/regular-file.ts';
import type { ReadRequest, ReadResult } from '../api.ts';
import { fileError, readFileBytes } from '../read-file-bytes.ts';
import { readCaptions } from '../subtitles.ts';
import { describeRecording } from './open-recording.ts';
import type { Transcript } from './transcript.ts';

/**
 * Reads a recording from the captions beside it.
 * @throws NotebookError `no-transcript` if there are none, `empty` if they have no text, `damaged`
 */
export async function readRecording(
  { content, name, captions, knownHash }: ReadRequest,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<ReadResult> {
  if (captions === undefined) {
    // A damaged file is reported as such.
    await describeRecording(content, name);
    throw new NotebookError(
      'no-transcript',
      t(
        '{0} has no captions. Save the captions as {1} in the same folder.',
        name,
        `${name.replace(/\.\w+$/, '')}.vtt`,
      ),
    );
  }
  const { bytes } =
    captions.content.kind === 'bytes'
      ? captions.content
      : await readFileBytes(captions.content.path, captions.name);
  const hash = createHash('sha256')
    .update(await hashRecording(content, name, signal))
    .update(bytes)
    .digest('hex');
  if (hash === knownHash) return { kind: 'unchanged' };
  const { mediaType } = await describeRecording(content, name);
  const read = readCaptions(bytes);
  if (read.text.trim() === '')
    throw new NotebookError('empty', t('{0} has no text. Replace or delete it.', captions.name));
  return { kind: 'read', hash, document: documentOfTranscript(read, mediaType) };
}

/** Returns the SHA-256 of a recording as lowercase hexadecimal digits, without loading it whole. */
async function hashRecording(
  content: ReadRequest['content'],
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hash = createHash('sha256');
  if (content.kind === 'bytes') return hash.update(content.bytes).digest('hex');
  try {
    const file = await openRegularFile(content.path, { name });
    for await (const part of file.createReadStream({ highWaterMark: 2 ** 20 })) {
      throwIfCanceled(signal);
      hash.update(part as Buffer);
    }
  } catch (error) {
    throw fileError(error, name);
  }
  return hash.digest('hex');
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
