import { makeWav } from '../support/recordings.ts';
import { expect, test } from './fixtures.ts';
import { addFile, answered } from './notebook.ts';

const captions = `WEBVTT

00:00:01.000 --> 00:00:05.000
<v Ada>The meeting begins with the weather.

00:00:41.000 --> 00:00:45.000
<v Ben>The ferry leaves the harbor at nine.
`;

test.use({ files: { 'harbor.wav': Buffer.from(makeWav([{ seconds: 60 }])), 'harbor.vtt': captions } });

test.describe('recording', { tag: '@all' }, () => {
  test('plays at the second that a citation names', async ({ workbench }) => {
    await addFile(workbench, 'harbor.wav');
    const turn = await answered(workbench, 'When does the ferry leave the harbor?');
    await turn.locator('figure.quote', { hasText: 'ferry' }).first().locator('.chip').first().click();
    const player = await workbench.webview('main.player');
    const cited = player.locator('p[aria-current]');
    await expect(cited.last()).toContainText('The ferry leaves the harbor at nine.');
    const second = (await cited.first().locator('.time').innerText()) === '0:01' ? 1 : 41;
    const audio = player.locator('audio');
    await expect.poll(() => audio.evaluate((one: HTMLAudioElement) => one.duration)).toBeCloseTo(60, 0);
    await expect
      .poll(() => audio.evaluate((one: HTMLAudioElement, at) => Math.abs(one.currentTime - at), second))
      .toBeLessThan(0.5);
  });

  test('opens once for a double click', async ({ workbench }) => {
    await addFile(workbench, 'harbor.wav');
    const turn = await answered(workbench, 'When does the ferry leave the harbor?');
    await turn.locator('figure.quote', { hasText: 'ferry' }).first().locator('.chip').first().dblclick();
    await workbench.webview('main.player');
    await expect(workbench.tab('harbor.wav')).toHaveCount(1);
  });
});
