import { plainWords } from '../../../../core/language/words/folding.ts';
import * as v from 'valibot';
import { t } from '@vscode/l10n';
import { parseBounded } from '../../../../core/domain/bounded-json.ts';
import { NotebookError } from '../../../../core/domain/errors.ts';
import {
  ALL_SOURCES,
  ANY_QUANTITY,
  NOTHING_SPENT,
  SOURCE_PREFIX,
  type ResearchMemory,
} from '../../model/project.ts';
import { SHARED_FOLDER } from '../../../sharing/model/shared-notebook.ts';

/** Folder for the memories that a repository shares, one file each. */
export const MEMORIES_FOLDER = `${SHARED_FOLDER}/memories`;
/** Maximum number of files to read, and maximum length of each in UTF-16 code units. */
export const MAX_MEMORY_FILES = 200;
export const MAX_MEMORY_FILE_LENGTH = 200_000;

const VERSION = 1;
const BOUNDS = { depth: 10, values: 20_000 };
const MAX_LIST_ITEMS = 200;
const MAX_LENGTH = 4_000;

const words = v.pipe(v.string(), v.maxLength(MAX_LENGTH));
const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));
const names = v.pipe(v.array(name), v.maxLength(MAX_LIST_ITEMS));
const titles = v.optional(v.pipe(v.array(words), v.maxLength(MAX_LIST_ITEMS)), []);
const amount = v.optional(v.pipe(v.number(), v.minValue(0)), 0);

const memory = v.object({
  version: v.literal(VERSION),
  goal: v.pipe(words, v.nonEmpty()),
  situation: v.optional(v.object({ sources: titles, open: titles }), { sources: [], open: [] }),
  plan: v.object({
    steps: v.pipe(
      v.array(
        v.object({
          id: name,
          action: name,
          target: words,
          materials: names,
          tools: v.optional(names, []),
          produces: name,
          quantity: v.optional(
            v.pipe(
              v.number(),
              v.integer(),
              v.check((quantity) => quantity === ANY_QUANTITY || quantity >= 1),
            ),
            ANY_QUANTITY,
          ),
          columns: v.exactOptional(names),
        }),
      ),
      v.nonEmpty(),
      v.maxLength(MAX_LIST_ITEMS),
    ),
    parts: v.optional(
      v.pipe(v.array(v.object({ text: words, product: name })), v.maxLength(MAX_LIST_ITEMS)),
      [],
    ),
  }),
  products: v.optional(v.record(name, words), {}),
  figures: v.exactOptional(
    v.pipe(v.array(v.object({ product: name, numbers: names, text: words })), v.maxLength(MAX_LIST_ITEMS)),
  ),
  spent: v.optional(
    v.object({ dollars: amount, tokens: amount, time: amount, requests: amount, toolCalls: amount }),
    NOTHING_SPENT,
  ),
  keptAt: amount,
});

/**
 * Parses a memory from a file of the repository. It is data written by others, so models see it between fences.
 * @param file Its name, which becomes the ID of the memory.
 * @throws NotebookError `damaged` if it isn't a memory.
 */
export function readMemory(text: string, file: string): ResearchMemory {
  let parsed: unknown;
  try {
    if (text.length <= MAX_MEMORY_FILE_LENGTH) parsed = parseBounded(text, BOUNDS);
  } catch {
    // The error is thrown below.
  }
  const read = v.safeParse(memory, parsed);
  if (!read.success)
    throw new NotebookError(
      'damaged',
      t(
        '{0} isn’t a valid research memory, so Open Notebook ignores it. Fix or delete the file.',
        `${MEMORIES_FOLDER}/${file}`,
      ),
    );
  const { goal, situation, plan, products, figures, spent, keptAt } = read.output;
  const memoryData = { goal, situation, plan, products, ...(figures && { figures }), spent, keptAt };
  return { ...memoryData, id: `shared:${file}`, isShared: true };
}

/**
 * Returns the content of a memory's file. All sources become one material, because their IDs mean nothing elsewhere.
 */
export function memoryText({
  goal,
  situation,
  plan,
  products,
  figures,
  spent,
  keptAt,
}: ResearchMemory): string {
  const steps = plan.steps.map((step) => ({
    ...step,
    materials: [
      ...new Set(
        step.materials.map((material) => (material.startsWith(SOURCE_PREFIX) ? ALL_SOURCES : material)),
      ),
    ],
  }));
  const memory = {
    version: VERSION,
    goal,
    situation,
    plan: { steps, parts: plan.parts },
    products,
    figures,
    spent,
    keptAt,
  };
  return `${JSON.stringify(memory, undefined, 2)}\n`;
}

/** Returns a file name for a memory, based on its goal: `compare-the-reports.json`. */
export function memoryFileName(goal: string, usedNames: ReadonlySet<string>): string {
  const spoken = plainWords(goal).join('-');
  const base = spoken.slice(0, 60).toWellFormed().replace(/-$/, '') || 'memory';
  for (let i = 1; ; i++) {
    const file = `${base}${i === 1 ? '' : `-${String(i)}`}.json`;
    if (!usedNames.has(file)) return file;
  }
}
