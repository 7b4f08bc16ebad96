// Measures the core beside its peers. `speed` and `vectors` with `--passages COUNT` measure how the cost grows up to that
// number:
//   node --expose-gc test/bench/run.ts speed|activation|passages|code|everyday|quotes|documents|vectors|evidence|pdf|scans|tables|web|studio|artifacts|team|agent|agent-board [--data DIR] [--out FILE] [--mixed] [--model scripted|endpoint] [--runaways COUNT] [--passages COUNT] [--kills COUNT] [--statements COUNT]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureActivation } from './activation.ts';
import { measureAgent } from './agent.ts';
import { measureRunaways } from './agent-runaway.ts';
import { measureAgentBoard } from './agent-board.ts';
import { measureArtifacts } from './artifacts.ts';
import { measureCode } from './code.ts';
import { measureColumns } from './columns.ts';
import { measureDocuments } from './documents.ts';
import { endpointModel } from './endpoint-model.ts';
import { measureEvidence } from './evidence.ts';
import { SCRIPTED } from './fact-check.ts';
import { measureEveryday } from './everyday.ts';
import { measureEverything } from './everything.ts';
import { measureGrowth } from './growth.ts';
import { measureInEditor } from './in-editor.ts';
import { measurePassages } from './passages.ts';
import { measurePdfs } from './pdf.ts';
import { measureQuotes } from './quotes.ts';
import { measureRealTexts } from './real-texts.ts';
import { measureScans } from './scans.ts';
import { measureSpeed } from './speed.ts';
import { measureStudio } from './studio.ts';
import { measureTables } from './tables.ts';
import { measureTeam } from './team.ts';
import { measureVectorGrowth } from './vector-growth.ts';
import { measureVectors } from './vectors.ts';
import { measureWeb } from './web.ts';
import { root } from '../support/paths.mjs';
import { benchmarks } from '../support/benchmarks.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    out: { type: 'string' },
    model: { type: 'string' },
    runaways: { type: 'string' },
    passages: { type: 'string' },
    kills: { type: 'string' },
    mixed: { type: 'boolean' },
    statements: { type: 'string' },
  },
});

const toFolders = (...names: readonly string[]): string[] =>
  values.data === undefined ? names.map((name) => join(benchmarks, name)) : [values.data];

const suites: Record<string, () => Promise<void>> = {
  speed: async () => {
    if (values.passages !== undefined) {
      await measureGrowth(Number(values.passages), values.data ?? join(benchmarks, 'passages'));
      return;
    }
    await measureSpeed(values.data ?? join(benchmarks, 'passages'));
    await measureInEditor();
  },
  activation: () => measureActivation(),
  passages: () => measurePassages(values.data ?? join(benchmarks, 'passages'), values.out),
  code: () => measureCode(values.data, values.out),
  everyday: async () => {
    await measureEveryday(values.data ?? join(benchmarks, 'everyday'), values.out, values.mixed);
    if (values.data === undefined && values.mixed !== true)
      await measureEveryday(join(root, 'test/fixtures/everyday'));
  },
  quotes: () => measureQuotes(values.data ?? join(benchmarks, 'passages')),
  documents: () => measureDocuments(values.data, values.out),
  vectors: () =>
    values.passages === undefined
      ? measureVectors(values.out)
      : measureVectorGrowth(Number(values.passages), values.data ?? join(benchmarks, 'passages'), values.out),
  evidence: async () => {
    const model =
      values.model === undefined ? undefined : values.model === 'scripted' ? SCRIPTED : endpointModel();
    if (values.model === undefined || model !== undefined)
      await measureEvidence(toFolders('claims', 'evidence'), values.out, {
        ...{ model, count: values.statements === undefined ? undefined : Number(values.statements) },
      });
  },
  pdf: async () => {
    await measurePdfs(values.data ?? join(benchmarks, 'pdf'), values.out);
    if (values.data === undefined) await measureColumns();
  },
  scans: () => measureScans(values.out),
  tables: () => measureTables(values.out),
  studio: () => {
    measureStudio(toFolders('passages', 'everyday'));
    if (values.data === undefined) measureRealTexts(benchmarks);
    return measureEverything();
  },
  artifacts: async () => {
    measureArtifacts(values.data ?? benchmarks, values.out);
    return Promise.resolve();
  },
  agent: () =>
    values.runaways === undefined
      ? measureAgent(values.model, values.out)
      : measureRunaways(Number(values.runaways)),
  'agent-board': () => measureAgentBoard(values.out),
  team: () =>
    measureTeam(values, {
      scifact: values.data ?? join(benchmarks, 'scifact'),
      evidence: join(benchmarks, 'evidence'),
    }),
  web: () => measureWeb(toFolders('web', 'articles'), values.out),
};
/** Suites that need no data, which run without a name. */
const standard = ['speed', 'passages', 'evidence'];

for (const name of positionals.length > 0 ? positionals : standard) {
  const suite = suites[name];
  if (suite === undefined) {
    console.error(`There is no suite "${name}". There are: ${Object.keys(suites).join(', ')}.`);
    process.exitCode = 1;
  } else await suite();
}
