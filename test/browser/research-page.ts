import type { FrameLocator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';

/** Page of research projects in the active tab. */
export function researchPage(workbench: Workbench): FrameLocator {
  return workbench.page
    .locator(
      'iframe.webview.ready[src*="extensionId=open-notebook.open-notebook"]:not([src*="purpose=webviewView"]):visible',
    )
    .contentFrame()
    .frameLocator('#active-frame');
}
