// Research projects, steps, and page states as the research page shows them.
import type { ResearchPanelState } from '../../src/features/research/protocol.ts';
import {
  NOTHING_SPENT,
  type BoardStep,
  type Product,
  type ProductEntry,
  type Research,
} from '../../src/features/research/model/project.ts';

/** Returns a step that is ready, unless `more` says otherwise. */
export function boardStep(id: string, more: Partial<BoardStep> = {}): BoardStep {
  return {
    id,
    action: 'summarize',
    target: `Do ${id}`,
    materials: ['sources'],
    tools: [],
    produces: `${id}-product`,
    quantity: -1,
    state: 'ready',
    holder: undefined,
    heldUntil: undefined,
    waitsFor: [],
    attempts: 0,
    reason: undefined,
    draft: '',
    sameAs: undefined,
    startedAt: undefined,
    endedAt: undefined,
    ...more,
  };
}

/** Returns a running research project without steps, unless `more` says otherwise. */
export function researchWith(more: Partial<Research> = {}): Research {
  return {
    id: 'r',
    goal: 'Compare the birds',
    state: 'running',
    reason: undefined,
    createdAt: 0,
    changedAt: 0,
    revision: 1,
    scope: undefined,
    bounds: {},
    spent: NOTHING_SPENT,
    options: { approves: true, keepsUnsupported: false, workers: 2, tools: [] },
    planVersion: 1,
    canUndo: false,
    canRedo: false,
    parts: [],
    steps: [],
    objections: [],
    comments: [],
    products: [],
    memories: [],
    report: undefined,
    reportChangedAt: undefined,
    ...more,
  };
}

/** Returns the state of a page in the window `here`, which shows the start page unless `more` says otherwise. */
export function researchPageState(more: Partial<ResearchPanelState> = {}): ResearchPanelState {
  return {
    researches: [],
    research: undefined,
    window: 'here',
    claimedSteps: [],
    activity: undefined,
    sources: [{ id: 's1', title: 'birds.md', kind: 'file' }],
    skills: [],
    tools: [],
    memories: [],
    model: 'm',
    isTrusted: true,
    factCheckRequest: undefined,
    checkTokens: undefined,
    scope: { kind: 'notebook' },
    start: { bounds: {}, options: researchWith().options },
    ...more,
  };
}

/** Returns the entry of a product in the list of a research project. */
export function productEntry(stepId: string, { citations, text, ...product }: Product): ProductEntry {
  const { check, id, createdAt, createdBy } = product;
  return { id, stepId, begins: text, check, citations: citations.length, createdBy, createdAt };
}
