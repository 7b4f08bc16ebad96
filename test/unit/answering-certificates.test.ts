// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { listModels } from '../../src/answers/models/list-models.ts';
import { startOpenAIServer } from '../support/openai-server.ts';
import { makeOwnCertificate } from '../support/own-certificate.ts';
import { TIMEOUT_MS } from '../support/until.ts';

test('accepts a trusted certificate of an endpoint, and else explains what to do', async (context) => {
  const certificate = makeOwnCertificate();
  const server = await startOpenAIServer({ certificate });
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  context.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { baseUrl } = server;
  const { signal } = new AbortController();
  await assert.rejects(listModels({ baseUrl }, { signal, timeout: TIMEOUT_MS }), {
    code: 'connection',
    message:
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ isn’t trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Add it /,
  });
  assert.equal(server.requests.length, 0);

  // Node reads the trusted certificates only when it starts.
  const file = join(folder, 'garden.pem');
  writeFileSync(file, certificate.cert);
  const script = `
    const { listModels } = await import(${JSON.stringify(new URL('../../src/answers/models/list-models.ts', import.meta.url).href)});
    const { signal } = new AbortController();
    const models = await listModels({ baseUrl: ${JSON.stringify(baseUrl)} }, { signal, timeout: ${String(TIMEOUT_MS)} });
    console.log(models.map(({ name }) => name).join());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
  });
  assert.equal(stdout.trim(), 'scripted-1');
});
