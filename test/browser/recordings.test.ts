import type { FrameLocator } from '@playwright/test';
import { makeGate } from '../support/gate.ts';
import { makeWav } from '../support/recordings.ts';
import { startTranscriptionServer, type TranscriptionServer } from '../support/transcription-server.ts';
import { expect, test } from './fixtures.ts';
import { addFile, answered, readySource } from './notebook.ts';

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
    await expectPlaysAt(player, second);
  });

  test('opens once for a double click', async ({ workbench }) => {
    await addFile(workbench, 'harbor.wav');
    const turn = await answered(workbench, 'When does the ferry leave the harbor?');
    await turn.locator('figure.quote', { hasText: 'ferry' }).first().locator('.chip').first().dblclick();
    await workbench.webview('main.player');
    await expect(workbench.tab('harbor.wav')).toHaveCount(1);
  });
});

/** Length of the recording, time of its last sentence, and the bytes of a sent second. */
const SECONDS = 400;
const LAST_AT = 350;
const BYTES_PER_SECOND = 16_000;

/** Checks that the player is less than half a second away from a second. */
async function expectPlaysAt(player: FrameLocator, second: number): Promise<void> {
  await expect
    .poll(() =>
      player.locator('audio').evaluate((one: HTMLAudioElement, at) => Math.abs(one.currentTime - at), second),
    )
    .toBeLessThan(0.5);
}

const transcribing = test.extend<{ readonly speech: TranscriptionServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright needs the parameter.
  speech: async ({}, use) => {
    const server = await startTranscriptionServer();
    await use(server);
    await server.close();
  },
});

transcribing.describe('recording without captions', () => {
  transcribing.use({
    files: {
      'talk.wav': Buffer.from(
        makeWav([{ seconds: 280 }, { seconds: 10, isSilent: true }, { seconds: SECONDS - 290 }]),
      ),
    },
    settings: ({ speech }, use) =>
      use({
        'openNotebook.transcription.baseUrl': speech.baseUrl,
        'openNotebook.transcription.model': 'whisper-1',
      }),
  });

  transcribing(
    'is transcribed, also after a pause and a reload, and plays at a cited second',
    async ({ workbench, speech }) => {
      const second = makeGate();
      speech.reply(async ({ bytes }) => {
        const from = SECONDS - (bytes.length - 44) / BYTES_PER_SECOND;
        const isFirst = from < 200;
        if (!isFirst) await second.pass();
        const start = isFirst ? 1 : LAST_AT - from;
        const text = isFirst
          ? 'The meeting begins with the weather.'
          : 'The ferry leaves the harbor at nine.';
        return { json: { text, segments: [{ start, end: start + 4, text }] } };
      });
      await workbench.explorerMenu('talk.wav', 'Add to Notebook');
      await workbench.showViews();
      const row = workbench.rows('Sources', 'talk.wav').first();
      await expect(row).toContainText('No transcript');
      await workbench.menu(row, 'Transcribe…');
      const dialog = workbench.dialog('Transcribe “talk.wav”?');
      await expect(dialog).toContainText('Length: 7 minutes.');
      await dialog.getByRole('button', { name: 'Transcribe' }).click();
      await second.reached;
      await expect(row).toContainText('Transcribing, 4 of 7 min');
      await workbench.screenshot('recordings-transcribing');
      await workbench.menu(row, 'Pause Transcription');
      await expect(row).toContainText('Transcription paused, 4 of 7 min');
      await workbench.reloadWindow();
      await workbench.showViews();
      await expect(row).toContainText('Transcription paused, 4 of 7 min');
      second.open();
      await workbench.menu(row, 'Resume Transcription');
      await readySource(workbench, 'talk.wav');
      // The first part is sent once, and the second one again after the pause.
      expect(speech.transcriptions.map(({ bytes }) => bytes.length > 200 * BYTES_PER_SECOND)).toEqual([
        true,
        false,
        false,
      ]);
      const turn = await answered(workbench, 'When does the ferry leave the harbor?');
      await turn.locator('figure.quote', { hasText: 'ferry' }).first().locator('.chip').first().click();
      const player = await workbench.webview('main.player');
      const cited = player.locator('p[aria-current]');
      await expect(cited.last()).toContainText('The ferry leaves the harbor at nine.');
      const isOfFerry = (await cited.first().locator('.time').innerText()) === '5:50';
      await expectPlaysAt(player, isOfFerry ? LAST_AT : 1);
      await player.getByRole('button', { name: 'Go to 5:50' }).click();
      await expectPlaysAt(player, LAST_AT);
      await workbench.screenshot('recordings-player');
    },
  );
});
