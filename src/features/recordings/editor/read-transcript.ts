import type { Uri } from 'vscode';
import type { Heading, SpokenTimes } from '../../../core/domain/document.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { RecordingDetails } from '../../../core/domain/recordings.ts';
import type { ReadRequest, ReadResult } from '../../../parsers/api.ts';
import { lastSegment, readContent } from '../../../platform/workspace-files.ts';
import { contentBeside } from './captions-beside.ts';

/** Transcript of a recording that is in no notebook. */
export interface FileTranscript {
  readonly mediaType: string;
  readonly text: string;
  readonly spoken: SpokenTimes | undefined;
  readonly headings: readonly Heading[];
}

/** Functions of the reader processes. */
interface TranscriptReaders {
  readonly read: (request: ReadRequest, options: object) => Promise<ReadResult>;
  readonly describeRecording: (file: Pick<ReadRequest, 'content' | 'name'>) => Promise<RecordingDetails>;
}

/**
 * Reads the captions beside a recording, or its transcript in a folder; an empty text without either.
 * @throws NotebookError as reading the file does
 */
export async function readTranscript(
  readers: TranscriptReaders,
  transcripts: string,
  uri: Uri,
): Promise<FileTranscript> {
  const file = { content: await readContent(uri), name: lastSegment(uri) };
  try {
    const result = await readers.read(
      {
        ...file,
        mediaType: undefined,
        pageUrl: undefined,
        knownHash: undefined,
        minimumLength: 1,
        ...(await contentBeside(uri)),
        transcripts,
      },
      {},
    );
    if (result.kind === 'unchanged') throw new Error('Nothing was known of the file.');
    const { mediaType, text, map, headings } = result.document;
    return { mediaType, text, spoken: map.kind === 'saved' ? map.spoken : undefined, headings };
  } catch (error) {
    if (!(error instanceof NotebookError) || (error.code !== 'no-transcript' && error.code !== 'empty'))
      throw error;
    const { mediaType } = await readers.describeRecording(file);
    return { mediaType, text: '', spoken: undefined, headings: [] };
  }
}
