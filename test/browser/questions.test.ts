import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pairsIn } from '../../src/features/questions/service/pairs.ts';
import { startOpenAIServer, type ChatRequest } from '../support/openai-server.ts';
import { expect, test } from './fixtures.ts';
import { chatPanel, pickModel, readySource } from './notebook.ts';

const facts = [
  ['pump', 'garden pump', 'installed', '1998'],
  ['barn', 'old barn', 'rebuilt', '1974'],
  ['well', 'deep well', 'dug', '1931'],
  ['shed', 'tool shed', 'painted', '1956'],
] as const;

const files = Object.fromEntries(
  facts.map(([name, building, deed, year]) => [
    `buildings/${name}.md`,
    `# The ${building}\n\nThe ${building} was ${deed} in ${year} by people who lived beside the river, and nobody has changed much of it since.\n`,
  ]),
);

test.use({ files });

/** Question about the shown passage, and a question whose answer is invented. */
function written({ messages }: ChatRequest): string {
  const shown = messages.map(({ content }) => content).join('\n');
  const [, building, deed, year] = facts.find(([, each]) => shown.includes(`The ${each} was`)) ?? facts[0];
  const question = `In which year was the ${building} ${deed}?`;
  return JSON.stringify([
    { kind: 'choice', question, answer: year, statement: `The ${building} was ${deed} in ${year}.` },
    {
      kind: 'choice',
      question: `Who paid for the ${building} in those days?`,
      answer: 'Queen Victoria',
      statement: `Queen Victoria paid for the ${building}.`,
    },
  ]);
}

function reply(request: ChatRequest): string {
  const [system] = request.messages;
  if (system?.content.startsWith('Make questions') === true) return written(request);
  // One model knows the answers, and the other one always says the same.
  if (request.model !== 'scripted-1') return 'A';
  const [, , , year] = facts.find(([, building]) => request.question.includes(building)) ?? facts[0];
  const line = request.question.split('\n').find((each) => each.endsWith(year)) ?? '?';
  return `The answer is ${line.charAt(0)}.`;
}

test(
  'a question set is generated, saved, and used to evaluate models',
  { tag: '@all' },
  async ({ vscode, workspace }) => {
    const model = await startOpenAIServer({ models: ['scripted-1', 'scripted-2'], reply });
    try {
      vscode.set({ 'openNotebook.endpoints': { 'Garden server': model.baseUrl } });
      const workbench = await vscode.open(workspace.folder);
      await workbench.explorerMenu('buildings', 'Add to Notebook');
      await readySource(workbench, 'buildings');
      const box = workbench.quickInput.locator('input').first();

      await test.step('explains what to do without a model', async () => {
        await workbench.run('Open Notebook: Generate Question Set…');
        await expect(workbench.notification('Generating questions requires a language model.')).toBeVisible();
      });

      const button = (await chatPanel(workbench)).locator('button.model');
      await pickModel(workbench, button, 'scripted-1');
      await expect(button).toHaveText('scripted-1');

      await test.step('questions are exported', async () => {
        await workbench.run('Open Notebook: Generate Question Set…');
        await expect(workbench.quickInput).toContainText('Multiple choice');
        await workbench.screenshot('question-kinds');
        await workbench.page.keyboard.press('Enter');
        await expect(workbench.quickInput).toContainText('Number of questions');
        await workbench.fill('4');
        await expect(box).toHaveValue(/questions\.jsonl$/);
        await box.press('Enter');
        await expect(workbench.notification(/Wrote \d+ questions to questions\.jsonl/)).toBeVisible();
        await workbench.screenshot('questions-exported');
        const { pairs, others } = pairsIn(readFileSync(join(workspace.folder, 'questions.jsonl'), 'utf8'));
        expect(others).toBe(0);
        expect(pairs.map(({ answer }) => answer).sort()).toEqual(['1931', '1956', '1974', '1998']);
        for (const { choices = [], quote, answer } of pairs) {
          expect(choices).toHaveLength(4);
          expect(quote).toContain(answer);
        }
      });

      await test.step('models are asked', async () => {
        await workbench.openFile('questions.jsonl');
        await workbench.run('Open Notebook: Evaluate Models with a Quiz…');
        await workbench.pick('questions.jsonl');
        await expect(workbench.quickInput).toContainText('scripted-2');
        await workbench.screenshot('quiz-models');
        // The model that writes answers is already selected.
        await workbench.pickSeveral(['scripted-2']);
        const lines = workbench.page.locator('.editor-instance .view-line');
        await expect(lines.filter({ hasText: '| scripted-1 | 4 (100 %) | 0 | 0 |' })).toBeVisible();
        await expect(lines.filter({ hasText: '| scripted-2 | ' }).first()).toBeVisible();
        await workbench.screenshot('quiz');
      });
    } finally {
      await model.close();
    }
  },
);
