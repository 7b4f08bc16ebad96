import type { Locator } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import { makeOwnCertificate } from '../support/own-certificate.ts';
import { makeTemporaryFolder } from '../support/server.mjs';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { addFile, answered, chatPanel, markdownPreview, openPicker } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.
`;

// Strings that this file doesn't contain, because its compiled code is cached.
const SECRET = `sk-secret-${randomUUID()}`;
const WRONG = `sk-wrong-${randomUUID()}`;

// A trace would record the entered keys.
test.use({ files: { 'garden.md': garden } });

/** Starts a server that asks for a key. */
function startLocked(): Promise<OpenAIServer> {
  return startOpenAIServer({
    apiKey: SECRET,
    models: [
      { id: 'scripted-1', context_length: 131_072, architecture: { input_modalities: ['text', 'image'] } },
      { id: 'scripted-2', context_length: 8192, supported_parameters: ['tools'] },
    ],
    usage: { prompt_tokens: 1200, completion_tokens: 34 },
    reply: () => 'Tomatoes are watered every second morning [1].',
  });
}

/** Visible entries of a list. Rows that are reused may contain old invisible text. */
function rows({ quickInput }: Workbench, words: string): Locator {
  return quickInput.locator(`.monaco-list-row[aria-label*="${words}"]`);
}

/** Enters a key when the editor asks for it. */
async function typeKey(workbench: Workbench, key: string): Promise<void> {
  await expect(workbench.quickInput).toContainText('stores the API key for');
  await workbench.fill(key);
}

/** Lists the files below folders that contain one of some words. */
function filesWith(words: readonly string[], ...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => {
        const bytes = readFileSync(file);
        return words.some((word) => bytes.includes(word) || bytes.includes(Buffer.from(word, 'utf16le')));
      }),
  );
}

test.describe('an API key', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ window: 'endpoints' });

  let locked: OpenAIServer;
  let workbench: Workbench;
  test.beforeAll(async () => {
    locked = await startLocked();
  });
  test.afterAll(() => locked.close());

  test('is set, rejected, and replaced, and the models answer', async ({ vscode, workspace }) => {
    vscode.set({
      'openNotebook.endpoints': {
        'Garden server': { address: locked.baseUrl, inputPrice: 3, outputPrice: 15 },
      },
    });
    workbench = await vscode.open(workspace.folder);
    await addFile(workbench, 'garden.md');
    const button = (await chatPanel(workbench)).locator('button.model');
    await openPicker(workbench, button);
    await rows(workbench, 'Set API Key…').and(rows(workbench, 'Garden server')).click();
    await typeKey(workbench, WRONG);
    await rows(workbench, 'The API key was rejected').click();
    await expect(workbench.quickInput).toContainText('Replace API Key');
    await typeKey(workbench, SECRET);
    await expect(rows(workbench, 'scripted-2')).toContainText('8,192 tokens · tools');
    await workbench.screenshot('models-picker');
    await rows(workbench, 'scripted-1').click();
    await expect(button).toHaveText('scripted-1');
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    const line = turn.locator('button.summary-line');
    await expect(line).toHaveAttribute('title', '1,200 tokens in, 34 out · about $0.0041');
    await line.click();
    await expect(line).toContainText('1,200 tokens in, 34 out · about $0.0041');
  });

  test('can be set from the answer when it is missing or wrong', async () => {
    await workbench.run('Open Notebook: Remove API Key');
    await expect(workbench.notification('Removed the API key')).toBeVisible();
    const refused = await answered(workbench, 'What are tomatoes watered with?');
    await expect(refused.locator('.failure')).toContainText('requires an API key');
    await workbench.screenshot('key-missing');
    await refused.getByRole('button', { name: 'Set API Key' }).click();
    await typeKey(workbench, WRONG);
    await refused.getByRole('button', { name: 'Try Again' }).click();
    await expect(refused.locator('.failure')).toContainText('rejected the API key');
    await refused.getByRole('button', { name: 'Set API Key' }).click();
    await typeKey(workbench, SECRET);
    await refused.getByRole('button', { name: 'Try Again' }).click();
    await expect(refused.locator('.answer')).toContainText('every second morning');
  });

  test('isn’t stored in any file', async ({ vscode, workspace }) => {
    await workbench.run('Open Notebook: Show Usage');
    await expect(markdownPreview(workbench).locator('table')).toContainText('scripted-1');
    await workbench.runAndPick('Open Notebook: Export Conversation…', 'Markdown');
    await expect(workbench.editorLines.first()).toBeVisible();
    await workbench.run('Open Notebook: Show Index Diagnostics');
    await vscode.server.stop();
    expect(locked.requests.some(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true);
    expect(filesWith([SECRET, WRONG], vscode.server.userData, workspace.folder)).toEqual([]);
    expect(filesWith(['scripted-1'], vscode.server.userData), 'files that were searched').not.toEqual([]);
  });
});

test.describe('a self-signed certificate', { tag: '@all' }, () => {
  const certificate = makeOwnCertificate();

  test.use({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern.
    env: async ({}, use) => {
      const folder = makeTemporaryFolder('nb-tls-');
      const file = join(folder, 'garden.pem');
      writeFileSync(file, certificate.cert);
      // Node's word for the system's certificates.
      await use({ SSL_CERT_FILE: file });
      rmSync(folder, { recursive: true, force: true });
    },
  });

  test('is accepted only if VS Code trusts it', async ({ vscode, workspace }) => {
    const trusted = await startOpenAIServer({ certificate });
    const stranger = await startOpenAIServer({ certificate: makeOwnCertificate() });
    trusted.reply('Tomatoes are watered every second morning [1].');
    vscode.set({
      'openNotebook.model.baseUrl': trusted.baseUrl,
      'openNotebook.model.name': 'scripted-1',
      'openNotebook.endpoints': { Stranger: stranger.baseUrl },
      'http.systemCertificatesNode': true,
    });
    const workbench = await vscode.open(workspace.folder);
    await addFile(workbench, 'garden.md');
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    await expect(turn.locator('.answer')).toContainText('every second morning');

    await openPicker(workbench, (await chatPanel(workbench)).locator('button.model'));
    await expect(workbench.quickInput).toContainText('isn’t trusted');
    await workbench.screenshot('certificate-not-trusted');
    expect(stranger.requests).toHaveLength(0);
    await Promise.all([trusted.close(), stranger.close()]);
  });
});
