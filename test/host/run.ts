// Runs the host tests. Arguments: [--desktop] [FILTER ...]; a filter is a part of a file's name.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInDesktop, runInExtensionHost } from '../support/extension-host.ts';
import { firstLines } from '../support/parts.mjs';
import { results, root } from '../support/paths.mjs';
import { startPostgres } from '../support/postgres.ts';
import type { HostReport, HostTest } from '../support/suite-report.ts';
import { watchProcessorTime } from '../support/processor-time.mjs';
import { recordTestCost } from '../support/test-costs.mjs';
import { packExtension } from '../support/vsix.mjs';

const time = watchProcessorTime(process.pid);
const desktop = process.argv.includes('--desktop');
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    process.exit(130);
  });

try {
  const folder = join(root, 'test', 'host');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
    .map((name) => join(folder, name));
  const run = desktop ? runInDesktop : runInExtensionHost;
  // PostgreSQL is found from the repository, not from the bundle of the tests.
  const postgres = files.some((file) => file.endsWith('team.test.ts')) ? await startPostgres() : undefined;
  let outcome: HostReport;
  try {
    const env = postgres === undefined ? {} : { TEAM_DATABASE: await postgres.createDatabase() };
    outcome = await run({ files, vsix: await packExtension(), env });
  } finally {
    await postgres?.stop();
  }
  const { tests, hookSeconds, notes, passed, failed } = outcome;
  for (const test of tests) {
    console.log(resultLine(test));
    recordTestCost({ tier: 'host', test: test.title, seconds: test.seconds });
  }
  const hostSeconds = tests.reduce((sum, { seconds }) => sum + seconds, hookSeconds);
  recordTestCost({ tier: 'host', test: 'hooks and loading', seconds: hookSeconds });
  recordTestCost({ tier: 'host', test: 'VS Code and its browser', seconds: time.stop() - hostSeconds });
  for (const [name, value] of Object.entries(notes)) console.log(`  ${name}: ${JSON.stringify(value)}`);
  mkdirSync(results, { recursive: true });
  const report = join(results, desktop ? 'desktop.json' : 'host.json');
  const flaky = tests.flatMap(({ title, firstError }) =>
    firstError === undefined ? [] : { title, error: firstLines(firstError), trace: undefined },
  );
  const failures = tests.flatMap(({ title, error }) =>
    error === undefined ? [] : { title, error: firstLines(error), trace: undefined },
  );
  writeFileSync(report, JSON.stringify({ passed, failed, failures, flaky, tests }, null, 2));
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function resultLine({ title, state, time, error }: HostTest): string {
  const sign = { passed: '✔', failed: '✖', skipped: '–' }[state];
  return `${sign} ${title} (${String(time)} ms)${error === undefined ? '' : `\n${error}`}`;
}
