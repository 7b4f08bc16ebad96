// Writes a text from a template. Run as a process, it writes one and prints each request to the model.
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { GenerationCache } from '../../src/features/artifacts/store/generation-cache.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import {
  writeFromTemplate,
  type StoredNotes,
  type WritingStep,
} from '../../src/features/artifacts/service/write-from-template.ts';
import type { Template } from '../../src/core/domain/template.ts';
import type { WritingPlan } from '../../src/core/domain/writing.ts';
import { scriptedWriter } from './scripted-writer.ts';

export const TASK = 'task';
export const template: Template = {
  ...{ name: 'briefing', title: 'Briefing', description: '', notes: 'What it says.' },
  ...{ writing: 'A briefing.', asksSince: false },
};
const signal = new AbortController().signal;

/** Returns a plan with parts of a number of tokens. */
export function makeWritingPlan(index: NotebookIndex, tokens = 500): Promise<WritingPlan> {
  return index.features.writings.plan({ task: TASK, tokens }, { signal, report: () => undefined });
}

function keptIn(parts: GenerationCache): StoredNotes {
  return {
    find: (key) => Promise.resolve(parts.find(TASK, key)),
    // Errors arrive as a rejection, as from a worker.
    keep: (part, notes) => Promise.resolve().then(() => parts.keep(TASK, { ...part, notes })),
  };
}

interface Written {
  readonly text: Awaited<ReturnType<typeof writeFromTemplate>>;
  readonly steps: readonly WritingStep[];
}

export async function makeWrite(
  index: NotebookIndex,
  model: LanguageModel,
  {
    before = '',
    isReworded = false,
    within = signal,
    tokens = 500,
    parts = index.features.writings.parts,
    onlySupported = false,
  } = {},
): Promise<Written> {
  const steps: WritingStep[] = [];
  const text = await writeFromTemplate({
    template: { ...template, onlySupported },
    ...{ plan: await makeWritingPlan(index, tokens), before, isReworded, model, signal: within },
    storedNotes: keptIn(parts),
    finder: {
      at: (places) => Promise.resolve(index.passageSearch.passagesAt(places)),
      cite: (requests) =>
        Promise.resolve(
          index.cited.cite(
            requests.map(({ number, passage, span }) => ({
              ...{ number, documentId: passage.documentId, span },
              passage: { start: passage.start, end: passage.end },
              quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
            })),
          ),
        ),
    },
    onStep: (step) => {
      steps.push(step);
    },
  });
  return { text, steps };
}

if (process.argv[1] === import.meta.filename) {
  // Ends with who started it.
  process.stdin.on('end', () => process.exit()).resume();
  const { folder, silentFrom } = JSON.parse(process.argv[2] ?? '') as { folder: string; silentFrom: number };
  const events = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(folder, { size: 500, overlap: 50 }, events);
  const good = scriptedWriter();
  let count = 0;
  await makeWrite(index, {
    ...good,
    async *stream(messages, options) {
      process.stdout.write(`${JSON.stringify({ request: ++count })}\n`);
      if (count >= silentFrom) await new Promise(() => undefined);
      yield* good.stream(messages, options);
    },
  });
}
