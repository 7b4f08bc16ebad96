import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { FigureSources } from '../../src/features/citations/editor/figure-sources.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { FigureSource } from '../../src/core/rpc/figure.ts';
import type { FigurePicture, PlacedFigure } from '../../src/core/domain/figure.ts';
import { sharedReaders, worker } from '../support/host-sources.ts';
import { noPasswords } from '../support/no-passwords.ts';

/** First bytes of a PNG, which show its type. */
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

suite('figures of citations', () => {
  let home: string;
  let panel: vscode.WebviewPanel;

  suiteSetup(() => {
    panel = vscode.window.createWebviewPanel('figures', 'Figures', vscode.ViewColumn.One);
  });

  suiteTeardown(() => {
    panel.dispose();
  });

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'figures-'));
  });

  teardown(() => {
    rmSync(home, { recursive: true, force: true });
  });

  function write(name: string, content: string | Uint8Array): string {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return vscode.Uri.file(path).toString();
  }

  /** Opens the figure of a citation for which the notebook names this picture; undefined if it names none. */
  function open(uri: string, mediaType: string, picture: FigurePicture | undefined): Promise<FigureSource> {
    const figure: Partial<PlacedFigure> = { uri, mediaType, ...(picture && { picture }) };
    const notebook = { call: () => Promise.resolve(picture && figure) };
    const sources = new FigureSources({
      extensionUri: vscode.Uri.file(dirname(dirname(worker('reader-worker.cjs')))),
      notebook: notebook as unknown as NotebookClient,
      passwords: noPasswords,
      readers: sharedReaders(),
      pdfCopies: home,
    });
    const span = { start: 0, end: 1 };
    return sources.open({ documentId: 1, span, quote: 'x', title: 'pump.md' }, panel.webview);
  }

  test('come from an image below the folder of a Markdown file', async () => {
    const uri = write('pump/pump.md', '![The pump](images/pump.png)');
    write('pump/images/pump.png', png);
    const source = await open(uri, 'text/markdown', { kind: 'address', address: 'images/pump.png' });
    assert.deepEqual(source, { kind: 'image', mediaType: 'image/png', bytes: Uint8Array.from(png) });
  });

  test('come from the output of a Jupyter cell', async () => {
    const data = { 'image/png': png.toString('base64'), 'text/plain': '<Figure size 128x128>' };
    const output = { output_type: 'display_data', metadata: {}, data };
    const cell = { cell_type: 'code', execution_count: 1, metadata: {}, source: 'plot()', outputs: [output] };
    const uri = write(
      'losses.ipynb',
      JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }),
    );
    const source = await open(uri, 'application/x-ipynb+json', { kind: 'cell', cell: 0, output: 0 });
    assert.deepEqual(source, { kind: 'image', mediaType: 'image/png', bytes: Uint8Array.from(png) });
  });

  test('are not read from outside the folder of their file', async () => {
    const uri = write('town/town.md', '# The mill');
    write('secret.png', png);
    symlinkSync(join(home, 'secret.png'), join(home, 'town', 'link.png'));
    for (const address of ['../secret.png', '../../secret.png', '/etc/passwd', 'link.png', 'missing.png'])
      await assert.rejects(
        open(uri, 'text/markdown', { kind: 'address', address }),
        { code: 'not-found', message: 'Can’t find the image that pump.md refers to.' },
        address,
      );
  });

  test('aren’t downloaded from the web', async () => {
    const uri = write('town/town.md', '# The bridge');
    const address = 'https://bridges.example/bridge.png';
    await assert.rejects(open(uri, 'text/markdown', { kind: 'address', address }), { code: 'not-found' });
  });

  test('are missing when the source has changed', async () => {
    await assert.rejects(open(write('a.md', ''), 'text/markdown', undefined), {
      code: 'not-found',
      message: 'Can’t show this figure because its source has changed or was removed.',
    });
  });
});
