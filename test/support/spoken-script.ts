// A script for two voices. Run as a process, it has the script spoken and prints its progress as one JSON value per
// line.
import { speak } from '../../src/answers/models/openai-speech.ts';
import { StoredSegments } from '../../src/features/recordings/service/stored-segments.ts';
import { readScript } from '../../src/features/audio/service/script.ts';
import { speakScript } from '../../src/features/audio/service/speak-script.ts';
import { TIMEOUT_MS } from './until.ts';

/** A note as a model writes it after the template. */
export const SCRIPT = `# Audio Script

Sources: garden.md (2026-11-23). Written by scripted-1.

## The water

**Ada:** Tomatoes are *watered* every second morning, with rainwater from the \`barrel\`. [1](citation/365236889b74716d "garden.md, L3")

**Ben:** Why rainwater?

**Ada:** It is soft. [unsupported]

## The leaves & roots

**Ben**: And the leaves?

**Ada:** Basil stands between them.
It keeps the [white fly](https://example.org) away. [2](citation/1dccf576975e039c "garden.md, L5")

**Ben:** So the neighbours help.

## Sources

None of this is said.
`;

if (process.argv[1] === import.meta.filename) {
  // Ends with who started it.
  process.stdin.on('end', () => process.exit()).resume();
  const { folder, baseUrl } = JSON.parse(process.argv[2] ?? '') as { folder: string; baseUrl: string };
  const { signal } = new AbortController();
  await speakScript(
    {
      ...{ title: 'Talk', chapters: await readScript(SCRIPT), baseUrl, model: 'speaks-1' },
      ...{ voices: ['alloy', 'onyx'], format: 'wav' },
    },
    {
      ...{ segments: new StoredSegments(folder), signal },
      speak: (request) =>
        speak({ baseUrl, name: 'speaks-1' }, request, { signal, timeout: TIMEOUT_MS, retries: 0 }),
      onProgress: (progress) => void process.stdout.write(`${JSON.stringify(progress)}\n`),
    },
  );
}
