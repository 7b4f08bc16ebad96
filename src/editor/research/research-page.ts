/** The kind of the editor's tabs that show researches. */
export const RESEARCH_TAB_TYPE = 'openNotebook.research';

/** The research that the page of a tab showed when its window closed; undefined for the page where one begins. */
export function researchOfState(state: unknown): string | undefined {
  return typeof state === 'object' &&
    state !== null &&
    'researchId' in state &&
    typeof state.researchId === 'string'
    ? state.researchId
    : undefined;
}
