import { expect, test } from './fixtures.ts';
import { answered, readySource } from './notebook.ts';

const rooms = Array.from({ length: 14 }, (_, i) => `room ${String(i + 1)}`);
const rest = 'Whatever else is done there is written on the board beside the door. '.repeat(8);
const handbook = `# Handbook of the mill

${rooms.map((room) => `## The ${room}\n\nIn the ${room} a lantern hangs over the door.\n\n${rest}`).join('\n\n')}

## Stopping

\`\`\`sh
mill stop --now
\`\`\`

The wheel stands still once the sluice is shut. Nobody touches it before that.
`;

test.use({ files: { 'handbook.md': handbook } });

test('without a model the best places are shown with what carries the question marked, and more of them on asking', async ({
  workbench,
}) => {
  await workbench.explorerMenu('handbook.md', 'Add to Notebook');
  await readySource(workbench, 'handbook.md');

  const still = await answered(workbench, 'how do I get the wheel to stand still?');
  const first = still.locator('section.quoted').first();
  await expect(first.locator('h3')).toContainText('handbook.md');
  await expect(first.locator('h3')).toContainText('Stopping');
  await expect(first.locator('mark')).toHaveText('The wheel stands still once the sluice is shut.');
  await expect(first.locator('pre')).toContainText('mill stop --now');
  await workbench.screenshot('places');
  await first.locator('.chip').first().click();
  await expect(workbench.editorLines.filter({ hasText: 'The wheel stands still' }).first()).toBeVisible();

  const doors = await answered(workbench, 'where does a lantern hang over the door?');
  const places = doors.locator('section.quoted');
  await expect(places).toHaveCount(8);
  await expect(doors.locator('.summary')).toContainText('8 places');
  await doors.getByRole('button', { name: 'More places' }).press('Enter');
  await expect.poll(() => places.count()).toBeGreaterThan(8);
  await doors.getByRole('button', { name: 'More places' }).click();
  await expect(doors.getByRole('button', { name: 'More places' })).toHaveCount(0);
  await workbench.screenshot('places-more');

  const none = await answered(workbench, 'volcano Iceland?');
  await expect(none).toContainText('No word of your question stands in this notebook.');
  await expect(none.getByRole('button', { name: 'Add Files' })).toBeVisible();

  await workbench.resize(600, 700);
  await still.locator('.question').scrollIntoViewIfNeeded();
  await workbench.screenshot('places-narrow');
});
