// Checks a notebook that a killed process left behind, then adds, replaces, deletes, and splits documents until
// killed.
import assert from 'node:assert/strict';
import { flushCompileCache } from 'node:module';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { BASE_SETTINGS, BASE_TITLE, checkBase } from './durability-base.ts';
import {
  checkAnswers,
  checkAnswersNow,
  checkDatabase,
  checkIntegrity,
  checkSnapshot,
} from './durability-checks.ts';
import { makeInput, versionText } from './durability-notes.ts';
import { seededRandom } from './durability-random.ts';
import { after, chooseStep, SIZES, type DocumentVersions, type Step } from './durability-steps.ts';
import { endWithParent, parametersGiven, sendMessage } from './durability-messages.ts';

export interface ChurnParameters {
  readonly folder: string;
  readonly seed: number;
  /** State that was reported as saved. `pending` is a step that may or may not be saved. */
  readonly held: DocumentVersions;
  readonly pending: Step | undefined;
  /** Versions of texts that were replaced or deleted. */
  readonly removed: readonly number[];
  /** The first version that was never used. */
  readonly version: number;
  /** `true` to compare index and database passage by passage, and to check the file. */
  readonly thorough: boolean;
  /** Closes after the checks instead of continuing. */
  readonly last: boolean;
  /** Number of passages of the base (see `durability-base.ts`); 0 for none. */
  readonly basePassages: number;
}

/** `answered`: the notebook is open, and answers what it can while its index may still be rebuilt. */
export type ChurnMessage =
  | { readonly kind: 'answered' }
  | { readonly kind: 'opened'; readonly held: DocumentVersions }
  | { readonly kind: 'begun'; readonly step: Step }
  | { readonly kind: 'kept' };

const parameters = parametersGiven() as ChurnParameters;
const { folder } = parameters;
const random = seededRandom(parameters.seed);
endWithParent();
// The process is killed before it would save its compiled code for the next ones.
flushCompileCache();

const { basePassages } = parameters;
const hasBase = basePassages > 0;
let size: number = hasBase ? BASE_SETTINGS.size : (SIZES[parameters.seed % SIZES.length] ?? 2_500);
const { index, result } = await NotebookIndex.open(
  folder,
  { size, overlap: 20 },
  { indexing: () => undefined, resplitting: () => undefined },
  'write',
  // Rebuilds even a small index in the background.
  { passagesAtOpening: 0 },
);
assert.deepEqual(result, { readOnly: false, notice: undefined });

let { held } = checkDatabase(folder, BASE_TITLE);
const { pending } = parameters;
const possible = [parameters.held, ...(pending === undefined ? [] : [after(parameters.held, pending)])];
assert.ok(
  possible.some((one) => isDeepStrictEqual(one, held)),
  `holds ${JSON.stringify(held)}, not ${possible.map((one) => JSON.stringify(one)).join(' or ')}`,
);
await checkAnswersNow(index, held);
sendMessage({ kind: 'answered' } satisfies ChurnMessage);
await checkAnswers(index, held, parameters.removed);
if (hasBase) await checkBase(index, folder, basePassages);
if (parameters.thorough) {
  while (index.store.documents.splitOtherwise({ size, overlap: 20 }).length > 0) await yieldToOthers();
  await checkSnapshot(index, folder, BASE_TITLE);
  checkIntegrity(folder);
}
sendMessage({ kind: 'opened', held } satisfies ChurnMessage);

if (parameters.last) {
  await index.close();
  process.exit(0);
}

for (let version = parameters.version; ; version++) {
  const step = chooseStep(held, version, random, hasBase);
  sendMessage({ kind: 'begun', step } satisfies ChurnMessage);
  await take(step);
  held = after(held, step);
  sendMessage({ kind: 'kept' } satisfies ChurnMessage);
  // Lets splitting and snapshots continue.
  await yieldToOthers();
}

async function take(step: Step): Promise<void> {
  switch (step.kind) {
    case 'addSource':
      await index.addSource(
        step.title,
        { kind: 'folder', uri: 'file:///notes' },
        step.version === undefined ? undefined : makeInput(versionText(step.version), ''),
      );
      return;
    case 'put':
      await index.putDocument(sourceId(step.title), makeInput(versionText(step.version), step.key));
      return;
    case 'removeDocument': {
      const stamps = index.store.documents.stamps(sourceId(step.title));
      await index.change(() => {
        index.store.documents.removeDocuments(
          stamps.filter(({ key }) => key === step.key).map(({ id }) => id),
        );
      });
      return;
    }
    case 'removeSource':
      await index.change(() => {
        index.store.removeSources([sourceId(step.title)]);
      });
      return;
    case 'settings':
      ({ size } = step);
      index.setIndexSettings({ size, overlap: 20 });
      return;
    case 'snapshot':
      if (random() < 0.5) await index.writeSnapshot();
      else void index.writeSnapshot();
  }
}

function sourceId(title: string): string {
  return index.store.sources().find((source) => source.title === title)?.id ?? '';
}
