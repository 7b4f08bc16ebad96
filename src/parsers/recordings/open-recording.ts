import { t } from '@vscode/l10n';
import type { Input } from 'mediabunny';
import { NotebookError } from '../../core/domain/errors.ts';
import type { RecordingDetails } from '../../core/domain/recordings.ts';
import type { ReadRequest } from '../api.ts';
import { readFileStart } from '../read-file-bytes.ts';
import { recordingType } from './recording-type.ts';

type Content = ReadRequest['content'];

/** Returns the duration and the tracks of a recording. @throws NotebookError `damaged`, and as reading a file does */
export async function describeRecording(content: Content, name: string): Promise<RecordingDetails> {
  const start = content.kind === 'bytes' ? content.bytes : await readFileStart(content.path, name);
  const fromStart = recordingType(name, start) ?? 'audio/mpeg';
  return withRecording(content, name, async (input) => {
    const [audio, video] = [await input.getPrimaryAudioTrack(), await input.getPrimaryVideoTrack()];
    if (audio === null && video === null) throw new Error('The container has no tracks.');
    const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    const container = fromStart.replace(/^\w+\//, '').replace('quicktime', 'mp4');
    const codecOf = async (kind: string, track: typeof audio | typeof video): Promise<string | undefined> => {
      const codec = await track?.getCodecParameterString();
      return codec === null || codec === undefined ? undefined : `${kind}/${container}; codecs="${codec}"`;
    };
    const [audioCodec, videoCodec] = [await codecOf('audio', audio), await codecOf('video', video)];
    return {
      mediaType:
        video === null
          ? fromStart.replace(/^video\/(?:quicktime|mp4)$/, 'audio/mp4').replace(/^video/, 'audio')
          : fromStart,
      duration,
      codecs: {
        ...(audioCodec !== undefined && { audio: audioCodec }),
        ...(videoCodec !== undefined && { video: videoCodec }),
      },
    };
  });
}

/**
 * Calls a function with an open recording, and closes it.
 * @throws NotebookError `damaged` if its container can't be read, and what the function throws
 */
export async function withRecording<T>(
  content: Content,
  name: string,
  use: (input: Input) => Promise<T>,
): Promise<T> {
  const media = await import('mediabunny');
  // Without playlists, which name other files.
  const { MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, FLAC, MP3, ADTS } = media;
  let problem: unknown;
  const source =
    content.kind === 'path'
      ? new media.FilePathSource(content.path, {
          handleUnhandledError: (error) => {
            problem = error;
          },
        })
      : new media.BufferSource(content.bytes);
  const input = new media.Input({
    formats: [MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, FLAC, MP3, ADTS],
    source,
  });
  try {
    return await use(input);
  } catch (error) {
    if (error instanceof NotebookError) throw error;
    throw new NotebookError(
      'damaged',
      t('{0} is damaged or incomplete. Export or download the recording again.', name),
      { cause: problem ?? error },
    );
  } finally {
    input.dispose();
  }
}
