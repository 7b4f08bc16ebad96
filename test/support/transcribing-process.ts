// Transcribes a recording, and prints its progress as one JSON value per line. Run as a process, it can be killed.
import { transcribe } from '../../src/answers/models/openai-transcription.ts';
import { StoredSegments } from '../../src/features/recordings/service/stored-segments.ts';
import { transcribeRecording } from '../../src/features/recordings/service/transcribe-recording.ts';
import { cutRecording, planRecording } from '../../src/parsers/recordings/cut-recording.ts';
import { TIMEOUT_MS } from './until.ts';

/** Recording to transcribe, the folder that stores its parts, and the endpoint. */
interface TranscribingParameters {
  readonly path: string;
  readonly folder: string;
  readonly baseUrl: string;
}

/** Transcribes a recording as the extension does, but retries without a pause. */
export async function transcribeFile(
  { path, folder, baseUrl }: TranscribingParameters,
  onProgress: (seconds: number) => void,
  { signal } = new AbortController(),
): Promise<string> {
  const file = { content: { kind: 'path', path }, name: 'talk.wav' } as const;
  const model = { baseUrl, name: 'whisper-1' };
  return await transcribeRecording(await planRecording(file), {
    ...{ model, signal, onProgress },
    segments: new StoredSegments(folder),
    cut: (part) => cutRecording(file, part),
    send: (part) => transcribe(model, part, { signal, timeout: TIMEOUT_MS, wait: () => Promise.resolve() }),
  });
}

if (process.argv[1] === import.meta.filename) {
  process.stdin.on('end', () => process.exit()).resume();
  const parameters = JSON.parse(process.argv[2] ?? '') as TranscribingParameters;
  await transcribeFile(
    parameters,
    (seconds) => void process.stdout.write(`${JSON.stringify({ seconds })}\n`),
  );
  process.exit();
}
