import { expect, test } from '../fixtures.ts';
import { answered, fixture, readySource, startOver } from '../notebook.ts';
import { sourcesWindow } from '../shared-windows.ts';

const note =
  '# A note\n\nThe lighthouse keeper counts the ships that pass at night and writes their names down.\n';

test.use(sourcesWindow);

test(
  'a damaged file shows the reason, and other files are read',
  { tag: '@all' },
  async ({ workbench, workspace }) => {
    await startOver(workbench, 'Bad sources');
    const names = ['empty.txt', 'picture.txt', 'encrypted.pdf', 'truncated.pdf', 'utf-16.txt'];
    for (const name of names) workspace.copy(fixture(name), name);
    workspace.write('huge.html', Buffer.alloc(50 * 1024 * 1024, '<p>a page that never ends\n'));
    workspace.write('note.md', note);
    await workbench.explorerMenu([...names, 'huge.html', 'note.md'], 'Add to Notebook');
    await expect(workbench.quickInput).toContainText('encrypted.pdf is password-protected');
    await workbench.page.keyboard.press('Escape');
    await workbench.showViews();
    const says = (name: string, words: RegExp): Promise<void> =>
      expect(workbench.rows('Sources', name).first()).toContainText(words);
    await says('empty.txt', /empty/i);
    await says('picture.txt', /PNG image/);
    await says('encrypted.pdf', /password|encrypted/i);
    await says('huge.html', /MB/);
    await readySource(workbench, 'utf-16.txt');
    await readySource(workbench, 'note.md');
    // A truncated PDF has the passages that could be read, or says that it is damaged.
    await says('truncated.pdf', /passage|damaged|incomplete/i);
    await workbench.screenshot('bad-sources');
    const turn = await answered(workbench, 'What does the lighthouse keeper count?');
    await expect(turn.locator('figure.quote').first()).toContainText('counts the ships');
  },
);
