import * as v from 'valibot';

/** The kind of the editor's tabs that show researches. */
export const RESEARCH_TAB_TYPE = 'openNotebook.research';

const pageState = v.object({ researchId: v.string() });

/** The research that the page of a tab showed when its window closed; undefined for the page where one begins. */
export function researchOfState(state: unknown): string | undefined {
  return v.is(pageState, state) ? state.researchId : undefined;
}
