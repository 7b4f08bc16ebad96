import type { CoverageView } from '../../messages/research.ts';
import { coverageTree } from '../../researching/memory/coverage.ts';
import { nextToLookAt } from '../../researching/memory/curriculum.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** So many of the last questions are looked at for what failed. */
const MOST_QUESTIONS = 300;

/** How much of the notebook answers and products rested on, and what to look at next. */
export async function coverageView(notebook: NotebookClient): Promise<CoverageView> {
  const [counts, questions, researches] = await Promise.all([
    notebook.call('coverageCounts', {}),
    notebook.call('pastQuestions', { most: MOST_QUESTIONS }),
    notebook.call('researches', {}),
  ]);
  return {
    nodes: coverageTree(counts),
    omitted: counts.omitted,
    next: nextToLookAt({ counts, questions, researches }),
  };
}
