import { expect, test } from '../fixtures.ts';
import { chatPanel, garden, startOver } from '../notebook.ts';
import { excerptsWindow } from '../shared-windows.ts';

test.describe('Keyboard shortcuts', () => {
  test.use({ ...excerptsWindow, files: { 'garden.md': garden } });

  test('ask a question, and toggle the chat', async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    const { keyboard } = workbench.page;
    const chord = async (second: string): Promise<void> => {
      await keyboard.press('ControlOrMeta+k');
      await keyboard.press(second);
    };
    const close = async (): Promise<void> => {
      await keyboard.press('Escape');
      await expect(workbench.quickInput).toBeHidden();
      // The first key of a chord is lost if the editor doesn't have the focus yet.
      await expect(workbench.page.locator('.editor-instance .monaco-editor.focused')).toBeVisible();
    };
    const box = (title: string): ReturnType<typeof workbench.quickInput.getByText> =>
      workbench.quickInput.getByText(title, { exact: true });

    await chatPanel(workbench);
    await workbench.selectLines('garden.md', 1, 1);
    await chord('Shift+A');
    await expect(box('Ask')).toBeVisible();
    await expect(workbench.quickInput.getByText('Ask about the selection')).toBeVisible();
    await close();
    await chord('a');
    await expect(workbench.quickInput.getByText('Ask the whole notebook')).toBeVisible();
    await close();

    const sideBar = workbench.page.locator('[id="workbench.parts.sidebar"]');
    await expect(sideBar).toBeVisible();
    await chord('b');
    await expect(sideBar).toBeHidden();
    await chord('b');
    await expect(sideBar).toBeVisible();
    await expect(workbench.view('Chat')).toBeVisible();
  });
});
