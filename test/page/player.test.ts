import type { PlayerView } from '../../src/messages/player.ts';
import { makeWav } from '../support/recordings.ts';
import { expect, lookInEachTheme, test } from './fixtures.ts';
import { serveBytes } from './page-files.ts';

const text = 'Ada: The ferry leaves at nine.\nBen: It returns at noon.\n\nAda: The last ferry is full.';

function view(more: Partial<PlayerView> = {}): PlayerView {
  return {
    state: { documentId: 1, notebook: '' },
    title: 'The harbor meeting',
    media: serveBytes(makeWav([{ seconds: 60 }]), 'audio/wav'),
    isVideo: false,
    codecs: {},
    duration: 60,
    text,
    starts: [0, text.indexOf('Ben'), text.indexOf('Ada: The last')],
    from: [1, 20, 40.5],
    to: [15, 30, 45],
    mark: undefined,
    canRename: false,
    ...more,
  };
}

test.describe('Player', () => {
  test('starts at the cited words, and seeks to words that the user selects', async ({ page, show }) => {
    const start = text.indexOf('It returns');
    const shown = await show('player', {
      ready: () => view({ mark: { start, end: start + 10 } }),
      used: () => undefined,
    });
    const time = (): Promise<number> =>
      page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
    await expect.poll(time).toBeCloseTo(20, 1);
    await expect(page.locator('p[aria-current]')).toContainText('It returns at noon.');
    await page.getByRole('button', { name: 'Go to 0:40' }).click();
    await expect.poll(time).toBeCloseTo(40.5, 1);
    shown.remote.notify('reveal', { mark: { start: 5, end: 14 } });
    await expect.poll(time).toBeCloseTo(1, 1);
    await page.locator('.words').last().click();
    await expect.poll(time).toBeCloseTo(40.5, 1);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(time).toBeCloseTo(35.5, 1);
  });

  test('finds words, and saves selected ones as a clip', async ({ page, show }) => {
    const shown = await show('player', {
      ready: () => view(),
      used: () => undefined,
      saveClip: () => undefined,
    });
    await expect(page.locator('article')).toContainText('The last ferry is full.');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('FERRY');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(page.locator('.count')).toHaveText('2 of 2');
    const save = page.getByRole('button', { name: /^Save Clip as Note/ });
    await page.locator('.words').first().selectText();
    await expect(save).toHaveAccessibleName('Save Clip as Note');
    await save.click();
    await expect
      .poll(() => shown.callsOf('saveClip'))
      .toEqual([{ span: { start: 0, end: text.indexOf('\n\n') } }]);
  });

  test('renames speakers, and shows the changed transcript', async ({ page, show }) => {
    const shown = await show('player', {
      ready: () => view({ canRename: true }),
      used: () => undefined,
      renameSpeakers: () => undefined,
    });
    await page.getByRole('button', { name: 'Rename Speakers…' }).click();
    await expect.poll(() => shown.callsOf('renameSpeakers')).toHaveLength(1);
    shown.remote.notify('update', { view: view({ text: text.replaceAll('Ada', 'Eva') }) });
    await expect(page.locator('article')).toContainText('Eva: The last ferry is full.');
  });

  test('shows the transcript of a recording that it can’t play, and says why', async ({ page, show }) => {
    await show('player', {
      ready: () => view({ media: serveBytes(new Uint8Array(64), 'audio/wav') }),
      used: () => undefined,
    });
    await expect(page.getByRole('note')).toContainText('VS Code can’t play this format.');
    await expect(page.locator('article')).toContainText('The last ferry is full.');
  });

  test('shows the transcript of a recording on another machine', async ({ page, show }) => {
    await show('player', { ready: () => view({ media: undefined }), used: () => undefined });
    await expect(page.getByRole('note')).toContainText('Can’t find the recording on this machine');
    await expect(page.locator('audio')).toHaveCount(0);
  });

  test('looks right in each theme and in a narrow window', async ({ page, show }) => {
    const shown = await show('player', {
      ready: () => view({ mark: { start: 5, end: 14 } }),
      used: () => undefined,
    });
    await expect(page.locator('article')).toContainText('The last ferry is full.');
    await lookInEachTheme(page, shown, 'player');
    await page.setViewportSize({ width: 260, height: 600 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});
