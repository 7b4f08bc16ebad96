import { expect, test } from './fixtures.ts';
import { clipboard, follow } from './links.ts';
import { addFile, answered } from './notebook.ts';
import { openGarden, shareGarden, shareTeam } from './team-steps.ts';

const garden = '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n';

test.use({ editorModel: true, files: { 'garden.md': garden } });

test.describe('link to a citation of a team notebook', { tag: '@all' }, () => {
  const team = shareTeam('withModel');

  test('opens the cited text on another member’s machine', async ({ context, workbench }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, team().ada);
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    await turn.locator('figure.quote', { hasText: 'rainwater' }).first().locator('.chip').first().hover();
    await turn.getByRole('button', { name: 'Copy link to citation' }).click();
    await expect.poll(() => clipboard(workbench.page)).toContain('/open?');
    const link = await clipboard(workbench.page);
    const other = await team().other();
    await openGarden(other, team().ben);
    await follow(other, link);
    await other
      .dialog('Open this source in the notebook?')
      .getByRole('button', { name: 'Open', exact: true })
      .click();
    const reading = await other.webview('main.page');
    await expect(reading.locator('mark').first()).toContainText('rainwater');
  });
});
