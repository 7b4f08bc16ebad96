import * as v from 'valibot';

/** Type of the editor tabs that show research projects. */
export const RESEARCH_TAB_TYPE = 'openNotebook.research';

const pageState = v.object({ researchId: v.string() });

/** Returns the project that a tab showed when its window closed; undefined for the page to start a project. */
export function researchOfState(state: unknown): string | undefined {
  return v.is(pageState, state) ? state.researchId : undefined;
}
