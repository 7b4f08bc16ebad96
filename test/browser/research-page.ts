import type { FrameLocator } from '@playwright/test';
import { tabPage, type Workbench } from '../support/workbench.ts';

/** Page of research projects in the active tab. */
export function researchPage(workbench: Workbench): FrameLocator {
  return tabPage(workbench.page);
}
