// npm run bench -- SUITE ...: runs benchmarks under Node 24 with the collector at hand.
import { join } from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { onEnd } from './on-end.mjs';
import { root } from './paths.mjs';
import { endPrograms, runProgram } from './run-program.mjs';
import { installNode24, node24 } from './vscode-server.mjs';

/** Peers hold 100,000 passages as objects. */
const HEAP_MEGABYTES = 12_288;

onEnd(() => {
  endPrograms();
  process.exit(1);
});

try {
  await installDependencies();
  await installNode24();
  const suites = process.argv.slice(2).filter((argument) => argument !== '--');
  const script = join(root, 'test', 'bench', 'run.ts');
  const flags = ['--expose-gc', `--max-old-space-size=${String(HEAP_MEGABYTES)}`];
  process.exitCode = (await runProgram(node24, [...flags, script, ...suites], { show: true })).code;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
