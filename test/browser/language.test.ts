import type { BrowserContext } from '@playwright/test';
import { judgeStatements } from '../support/judge.ts';
import { requestPurpose } from '../support/research-requests.ts';
import { expect, test } from './fixtures.ts';
import { fixture } from './notebook.ts';
import { modelSettings } from './shared-windows.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

test.use({ files: { 'garden.md': garden, 'empty.txt': '' }, fresh: true });

test('the UI is in Chinese', { tag: '@all' }, async ({ context, vscode, workspace, model }) => {
  await speak(context, 'zh-cn');
  vscode.set({ ...modelSettings(model), 'openNotebook.answer.check': true });
  workspace.copy(fixture('report.pdf'), 'report.pdf');
  const written = ['Tomatoes are watered every second morning [1]. ', 'Roses are pruned in winter. '];
  model.reply(({ messages, question }) =>
    requestPurpose(messages) === 'fact-check' ? judgeStatements(question) : written,
  );
  const workbench = await vscode.open(workspace.folder);
  await workbench.showViews();
  await expect(workbench.view('来源')).toContainText('添加文件或文件夹');
  const panel = await workbench.webview('textarea[aria-label="问题"]');
  await expect(panel.locator('main')).toContainText('就你的来源提问');
  await workbench.screenshot('language-zh-cn-empty');

  await workbench.explorerMenu(['garden.md', 'report.pdf', 'empty.txt'], '添加到笔记本');
  await workbench.showViews();
  const garden = workbench.rows('来源', 'garden.md');
  await expect(garden).toContainText('1 个段落');
  await expect(workbench.rows('来源', 'report.pdf')).toContainText('个段落');
  // String of a reader, which runs in a worker.
  await expect(workbench.rows('来源', 'empty.txt')).toContainText('没有文本，因此没有可添加的内容。');

  const chat = await workbench.webview('textarea[aria-label="问题"]');
  await chat.getByLabel('问题', { exact: true }).fill('How often are tomatoes watered?');
  await chat.getByLabel('问题', { exact: true }).press('Enter');
  await expect(chat.locator('.summary')).toContainText('2 条陈述中有 1 条得到支持');
  await chat.locator('.chip').first().hover();
  await expect(chat.locator('.card').getByRole('button', { name: '在侧边打开' })).toBeVisible();
  await workbench.screenshot('language-zh-cn-answer');

  await workbench.rows('来源', 'report.pdf').click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  await expect(pdf.getByRole('button', { name: '适合宽度(0)' })).toBeVisible();
  await workbench.page.keyboard.press('F1');
  await workbench.quickInput.locator('.quick-input-box input').fill('>Open Notebook: 选择');
  await expect(workbench.quickInput).toContainText('选择模型…');
  await workbench.screenshot('language-zh-cn-commands');
});

/** Gives windows that are opened from now on a display language; VS Code's own words stay as they are. */
async function speak(context: BrowserContext, language: string): Promise<void> {
  await context.addInitScript((name) => {
    Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => name, set: () => undefined });
  }, language);
}
