import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readCitationStyle } from '../../src/features/notes/editor/citation-style.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;

suite('the citation style', () => {
  let outside: string;
  let inside: string;

  setup(() => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    outside = mkdtempSync(join(tmpdir(), 'style-'));
    inside = mkdtempSync(join(folder, 'style-'));
    for (const at of [outside, inside]) {
      writeFileSync(join(at, 'a.csl'), '<style/>');
      writeFileSync(join(at, 'secret.txt'), 'A secret.');
      writeFileSync(join(at, 'large.csl'), Buffer.alloc(1_000_001));
    }
    symlinkSync(join(outside, 'a.csl'), join(inside, 'link.csl'));
  });

  teardown(async () => {
    for (const target of [Global, Workspace]) await set(undefined, target);
    for (const at of [outside, inside]) rmSync(at, { recursive: true });
  });

  async function set(path: string | undefined, target: vscode.ConfigurationTarget): Promise<void> {
    await vscode.workspace.getConfiguration('openNotebook.export').update('citationStyle', path, target);
  }

  const relative = (name: string): string => vscode.workspace.asRelativePath(join(inside, name), false);

  test('is read from the folder of a workspace that names it', async () => {
    await set(relative('a.csl'), Workspace);
    assert.equal(await readCitationStyle(), '<style/>');
  });

  test('is read from anywhere if user settings name it', async () => {
    await set(join(outside, 'a.csl'), Global);
    assert.equal(await readCitationStyle(), '<style/>');
  });

  test('isn’t read from outside of a workspace that names it', async () => {
    const upwards = `${'../'.repeat(20)}${join(outside, 'a.csl')}`;
    for (const path of [join(outside, 'a.csl'), relative('link.csl'), upwards]) {
      await set(path, Workspace);
      await assert.rejects(readCitationStyle(), { code: 'forbidden' });
    }
  });

  test('is rejected if it is another kind of file, or too large', async () => {
    await set(join(outside, 'secret.txt'), Global);
    await assert.rejects(readCitationStyle(), { code: 'unsupported' });
    await set(join(outside, 'large.csl'), Global);
    await assert.rejects(readCitationStyle(), { code: 'too-large' });
    await set(join(outside, 'missing.csl'), Global);
    await assert.rejects(readCitationStyle(), { code: 'not-found' });
  });
});
