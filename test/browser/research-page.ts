import type { FrameLocator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';

/** The page of researches in the tab that is in front. */
export function researchPage(workbench: Workbench): FrameLocator {
  return workbench.page
    .locator(
      'iframe.webview.ready[src*="extensionId=open-notebook.open-notebook"]:not([src*="purpose=webviewView"]):visible',
    )
    .contentFrame()
    .frameLocator('#active-frame');
}
