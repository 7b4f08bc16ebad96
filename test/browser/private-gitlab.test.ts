import type { Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { expect, test, themes } from './fixtures.ts';
import { addPage, readySource } from './notebook.ts';

const TOKEN = 'glpat-of-anna';
const host = ({ url }: { readonly url: string }): string => new URL(url).host;

const json = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const issue = {
  title: 'The wheel stops',
  state: 'opened',
  description: 'It stops at noon, when the pond is empty.',
  author: { username: 'anna' },
  created_at: '2024-01-02T03:04:05Z',
  labels: [],
  user_notes_count: 0,
};

const base = '/api/v4/projects/mill%2Fgrain/issues';

/** What is shown to who has the token, and hidden from everybody else. */
const shown = (body: unknown) => (request: { readonly headers: NodeJS.Dict<string | string[]> }) => {
  const token = request.headers['private-token'];
  if (token === undefined) return json({ message: '404 Project Not Found' }, 404);
  return token === TOKEN ? json(body) : json({ message: '401 Unauthorized' }, 401);
};

const consentDialog = (workbench: Workbench): Locator => workbench.dialog('is gone or private');

test.describe('an issue of a private GitLab project', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ settings: { 'workbench.colorTheme': themes.dark }, shared: true });

  test.beforeEach(({ site }) => {
    site.set({
      [`${base}/7`]: shown(issue),
      [`${base}/7/notes`]: shown([]),
      [`${base}/8`]: shown({ ...issue, title: 'The pond leaks' }),
      [`${base}/8/notes`]: shown([]),
    });
  });

  test('who does not agree is asked for no token, and told why nothing was read', async ({
    workbench,
    site,
  }) => {
    const consent = consentDialog(workbench);
    await addPage(workbench, `${site.url}/mill/grain/-/issues/7`);
    await expect(consent).toContainText(`mill/grain on ${host(site)}`);
    await workbench.screenshot('gitlab-asked');
    await consent.getByRole('button', { name: 'Cancel' }).click();
    await expect(workbench.rows('Sources').first()).toContainText('gone or private');
    expect(site.requests.map(({ headers }) => headers['private-token'])).toEqual([undefined]);
  });

  test('a wrong token is told, a right one reads the issue', async ({ workbench }) => {
    const consent = consentDialog(workbench);
    await workbench.rowAction(workbench.rows('Sources').first(), 'Refresh');
    await consent.getByRole('button', { name: 'Read with My Token' }).click();
    await expect(workbench.quickInput).toContainText('the scope read_api');
    await workbench.screenshot('gitlab-token');
    await workbench.fill('mistyped');
    await expect(workbench.quickInput).toContainText('does not take this token');
    await workbench.fill(TOKEN);
    await readySource(workbench, 'The wheel stops');
  });

  test('of the same project nothing is asked again', async ({ workbench, site }) => {
    await addPage(workbench, `${site.url}/mill/grain/-/issues/8`);
    await readySource(workbench, 'The pond leaks');
    await expect(consentDialog(workbench)).toBeHidden();
  });

  test('a forgotten token goes nowhere any more, and one that is set anew does', async ({
    workbench,
    site,
  }) => {
    const wheel = workbench.rows('Sources', 'The wheel stops').first();
    await workbench.run('Open Notebook: GitLab Tokens…');
    await expect(workbench.quickInput).toContainText('A token is set.');
    await workbench.pick(host(site));
    await workbench.screenshot('gitlab-tokens');
    await workbench.pick('Forget Token');
    await expect(workbench.notification(`The token for ${host(site)} was forgotten.`)).toBeVisible();
    await workbench.rowAction(wheel, 'Refresh');
    await expect(wheel).toContainText('gone or private');
    expect(site.requests.at(-1)?.headers['private-token']).toBeUndefined();

    await workbench.run('Open Notebook: GitLab Tokens…');
    await expect(workbench.quickInput).toContainText('No token is set.');
    await workbench.pick(host(site));
    await workbench.pick('Set Token…');
    await workbench.fill(TOKEN);
    await expect(workbench.notification(`The token for ${host(site)} was set`)).toBeVisible();
    await workbench.rowAction(wheel, 'Refresh');
    await expect(wheel).not.toContainText('gone or private');
  });
});
