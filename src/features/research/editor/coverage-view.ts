import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { CoverageView } from '../protocol.ts';
import { coverageTree } from '../service/memory/coverage.ts';
import { nextToLookAt } from '../service/memory/curriculum.ts';

/** Number of recent questions that are searched for failures. */
const MAX_QUESTIONS = 300;

/** Returns how much of the notebook was cited in answers and step results, and what to look at next. */
export async function coverageView(notebook: NotebookClient): Promise<CoverageView> {
  const [counts, questions, researches] = await Promise.all([
    notebook.call('coverageCounts', {}),
    notebook.call('pastQuestions', { limit: MAX_QUESTIONS }),
    notebook.call('researches', {}),
  ]);
  return {
    nodes: coverageTree(counts),
    omitted: counts.omitted,
    next: nextToLookAt({ counts, questions, researches }),
  };
}
