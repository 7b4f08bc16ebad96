import type { Page } from '@playwright/test';
import type { PlayerView } from '../../src/features/recordings/protocol.ts';
import { makeWav } from '../support/recordings.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { serveBytes } from './page-files.ts';

const text = 'Ada: The ferry leaves at nine.\nBen: It returns at noon.\n\nAda: The last ferry is full.';

function view(more: Partial<PlayerView> = {}): PlayerView {
  return {
    state: { documentId: 1, notebook: '' },
    title: 'The harbor meeting',
    media: serveBytes(makeWav([{ seconds: 60 }]), 'audio/wav'),
    page: undefined,
    isVideo: false,
    codecs: {},
    duration: 60,
    text,
    starts: [0, text.indexOf('Ben'), text.indexOf('Ada: The last')],
    from: [1, 20, 40.5],
    to: [15, 30, 45],
    chapters: [],
    headings: [],
    mark: undefined,
    canChange: false,
    hasGeneratedChapters: false,
    canSaveClips: true,
    ...more,
  };
}

async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
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

  test('plays, moves, and changes its speed by keys', async ({ page, show }) => {
    await show('player', { ready: () => view(), used: () => undefined });
    const audio = page.locator('audio');
    const read = (property: 'currentTime' | 'paused' | 'playbackRate'): Promise<boolean | number> =>
      audio.evaluate((one: HTMLAudioElement, name) => one[name], property);
    await expect.poll(() => audio.evaluate((one: HTMLAudioElement) => one.duration)).toBeCloseTo(60, 0);
    const { keyboard } = page;
    await keyboard.press('l');
    await expect.poll(() => read('currentTime')).toBeCloseTo(10, 1);
    await keyboard.press('ArrowRight');
    await expect.poll(() => read('currentTime')).toBeCloseTo(15, 1);
    await keyboard.press('j');
    await expect.poll(() => read('currentTime')).toBeCloseTo(5, 1);
    await keyboard.press('j');
    await expect.poll(() => read('currentTime')).toBe(0);
    const speed = page.getByRole('combobox', { name: 'Speed' });
    for (const [key, rate] of [
      ['>', 1.25],
      ['>', 1.5],
      ['<', 1.25],
    ] as const) {
      await keyboard.press(key);
      await expect.poll(() => read('playbackRate')).toBe(rate);
      await expect(speed).toHaveValue(String(rate));
    }
    // A key that is pressed again before the page is drawn counts, too.
    await page.evaluate(() => {
      for (let press = 0; press < 2; press++)
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '>', bubbles: true }));
    });
    await expect(speed).toHaveValue('1.75');
    await speed.selectOption('2');
    await expect.poll(() => read('playbackRate')).toBe(2);
    await page.locator('article').focus();
    await keyboard.press('k');
    await expect.poll(() => read('paused')).toBe(false);
    await keyboard.press(' ');
    await expect.poll(() => read('paused')).toBe(true);
    await page.getByRole('textbox', { name: 'Find in Transcript' }).focus();
    await keyboard.type('k');
    expect(await read('paused')).toBe(true);
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

  test('renames speakers, generates and removes chapters, and shows the changed transcript', async ({
    page,
    show,
  }) => {
    const shown = await show('player', {
      ready: () => view({ canChange: true, hasGeneratedChapters: true }),
      used: () => undefined,
      renameSpeakers: () => undefined,
      generateChapters: () => undefined,
      removeChapters: () => undefined,
    });
    await page.getByRole('button', { name: 'Remove Generated Chapters' }).click();
    await expect.poll(() => shown.callsOf('removeChapters')).toHaveLength(1);
    await page.getByRole('button', { name: 'Generate Chapters…' }).click();
    await expect.poll(() => shown.callsOf('generateChapters')).toHaveLength(1);
    await page.getByRole('button', { name: 'Rename Speakers…' }).click();
    await expect.poll(() => shown.callsOf('renameSpeakers')).toHaveLength(1);
    shown.remote.notify('update', { view: view({ text: text.replaceAll('Ada', 'Eva') }) });
    await expect(page.locator('article')).toContainText('Eva: The last ferry is full.');
  });

  test('lists chapters that the user can go to, and shows their titles in the transcript', async ({
    page,
    show,
  }) => {
    const chapters = [
      { title: 'Departure', from: 1 },
      { title: 'The last ferry', from: 40.5 },
    ];
    const headings = [
      { start: 0, title: 'Departure' },
      { start: text.indexOf('Ada: The last'), title: 'The last ferry' },
    ];
    const shown = await show('player', { ready: () => view({ chapters, headings }), used: () => undefined });
    await expect(page.locator('article h2')).toHaveText(['Departure', 'The last ferry']);
    const list = page.locator('.chapters');
    await list.locator('summary').focus();
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: '0:40 The last ferry' }).click();
    await expect
      .poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime))
      .toBeCloseTo(40.5, 1);
    await expect(list.locator('[aria-current]')).toHaveText('0:40The last ferry');
    await lookInEachTheme(page, shown, 'player-chapters');
    await page.setViewportSize({ width: 260, height: 600 });
    await expectNoOverflow(page);
  });

  test('opens the page of a video at the time that the user selects', async ({ page, show }) => {
    const shown = await show('player', {
      ready: () => view({ media: undefined, page: 'https://talks.example/harbor' }),
      used: () => undefined,
      openPage: () => undefined,
    });
    await expect(page.getByRole('note')).toContainText('Select a time to play it on its page');
    await page.locator('.words').first().click();
    await page.getByRole('button', { name: 'Go to 0:40' }).click();
    await expect.poll(() => shown.callsOf('openPage')).toEqual([{ seconds: 40.5 }]);
    await lookInEachTheme(page, shown, 'player-page');
  });

  test('has no button for clips of a recording in no notebook', async ({ page, show }) => {
    await show('player', { ready: () => view({ canSaveClips: false }), used: () => undefined });
    await expect(page.locator('article')).toContainText('The last ferry is full.');
    await expect(page.getByRole('button', { name: /^Save Clip as Note/ })).toHaveCount(0);
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

  test('looks right in each theme, in a narrow window, and in a wide one', async ({ page, show }) => {
    const more = { canChange: true, hasGeneratedChapters: true };
    const chapters = [
      { title: 'Departure of the ferries to the islands in summer', from: 1 },
      { title: 'The last ferry', from: 40.5 },
    ];
    const headings = chapters.map(({ title }, i) => ({
      title,
      start: i === 0 ? 0 : text.indexOf('Ada: The last'),
    }));
    const shown = await show('player', {
      ready: () => view({ ...more, chapters, headings, mark: { start: 5, end: 14 } }),
      used: () => undefined,
    });
    await expect(page.locator('article')).toContainText('The last ferry is full.');
    await lookInEachTheme(page, shown, 'player');
    await page.locator('.chapters summary').click();
    for (const width of [260, 1440])
      for (const theme of ['light', 'dark'] as const) {
        await shown.setTheme(theme);
        await page.setViewportSize({ width, height: 700 });
        await expectNoOverflow(page);
        await screenshot(page, `player-${theme}-${String(width)}`);
      }
  });
});
