import { expect, test } from './fixtures.ts';
import { answered, ask, chatPanel, fixture, readySource, findTurn } from './notebook.ts';

test(
  'an encrypted PDF asks for its password when it is added and when it is opened',
  { tag: '@all' },
  async ({ vscode, workspace }) => {
    workspace.copy(fixture('encrypted.pdf'), 'encrypted.pdf');
    const workbench = await vscode.open(workspace.folder);
    await chatPanel(workbench);
    await workbench.explorerMenu('encrypted.pdf', 'Add to Notebook');
    await expect(workbench.quickInput).toContainText('encrypted.pdf is password-protected');
    await workbench.fill('sesame');
    await expect(workbench.quickInput).toContainText('doesn’t open encrypted.pdf');
    await workbench.screenshot('pdf-password');
    await workbench.fill('reader');
    await workbench.answerNotification('Save the password for encrypted.pdf', 'Don’t Save');
    await readySource(workbench, 'encrypted.pdf');
    const turn = await answered(workbench, 'Python');
    await turn.locator('figure.quote').first().getByRole('button').first().click();
    await expect(workbench.quickInput).toContainText('encrypted.pdf is password-protected');
    await workbench.page.keyboard.press('Escape');
    const viewer = workbench.webview('.problem');
    await expect((await viewer).getByRole('alert')).toHaveText('This PDF is password-protected.');
    await workbench.screenshot('pdf-password-declined');
    await (await viewer).getByRole('button', { name: 'Enter Password' }).click();
    await workbench.fill('reader');
    await workbench.answerNotification('Save the password for encrypted.pdf', 'Save Password');
    const pages = await workbench.webview('.pdfViewer .page');
    await expect(pages.locator('.mark').first()).toBeVisible();
    await workbench.screenshot('pdf-password-opened');

    await test.step('its highlights are saved in the notebook and found by a question', async () => {
      const { keyboard } = workbench.page;
      await pages.locator('.textLayer span', { hasText: 'Python' }).first().click({ clickCount: 3 });
      await keyboard.press('h');
      await expect(
        workbench.notification('encrypted.pdf is encrypted, so its highlights are saved in the notebook'),
      ).toBeVisible();
      await keyboard.press('ControlOrMeta+s');
      await expect(workbench.page.locator('.tab.dirty')).toHaveCount(0);
      // The file is read again with the highlights.
      const question = 'What did I highlight about Python?';
      await expect(async () => {
        const last = findTurn(await ask(workbench, question), question).last();
        await expect(last.locator('figure.quote').first()).toContainText('Highlighted on p.', {
          timeout: 3_000,
        });
      }).toPass();
    });
  },
);
