import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentEngines } from './document-peers.ts';
import { printTable } from './table.ts';

/** Functions by their texts, each with its index. */
const FUNCTIONS_FILE = 'code_idx_map.txt';
/** File with questions; a folder can have several of them. */
const QUESTIONS_FILE = /^cosqa-retrieval-.*\.json$/;
const RETRIEVED = 256;

/** Question of a web search, with the index of the function that answers it. */
interface CodeQuestion {
  readonly doc: string;
  readonly retrieval_idx: number;
}

/**
 * Measures how a question in words finds the function that answers it, compared with other engines in the same run.
 * `data` is a folder in the layout of CoSQA: `data/search` of https://github.com/Jun-jie-Huang/CoCLR.
 */
export async function measureCode(data: string | undefined, out: string | undefined): Promise<void> {
  const files = data !== undefined && existsSync(data) ? readdirSync(data).toSorted() : [];
  const questionFiles = files.filter((name) => QUESTIONS_FILE.test(name));
  if (data === undefined || questionFiles.length === 0 || !files.includes(FUNCTIONS_FILE)) {
    console.error(
      `The questions about code are missing: name a folder with ${FUNCTIONS_FILE} and cosqa-retrieval-*.json with --data, such as data/search of https://github.com/Jun-jie-Huang/CoCLR.`,
    );
    process.exitCode = 1;
    return;
  }
  const indexes = JSON.parse(readFileSync(join(data, FUNCTIONS_FILE), 'utf8')) as Record<string, number>;
  const functions = Object.entries(indexes);
  const documents = functions.map(([text, id]) => ({ id: String(id), title: '', text }));
  const rows: string[][] = [];
  const lines: string[] = [];
  for (const [engineNumber, engine] of documentEngines.entries()) {
    const search = await engine.build(documents);
    for (const file of questionFiles) {
      const questions = JSON.parse(readFileSync(join(data, file), 'utf8')) as readonly CodeQuestion[];
      const ranks: number[] = [];
      const began = process.cpuUsage().user;
      for (const { doc, retrieval_idx: right } of questions) {
        const ranked = await search(doc, RETRIEVED);
        ranks.push(1 + ranked.findIndex(({ document }) => functions[document]?.[1] === right));
        if (engineNumber === 0) lines.push(JSON.stringify({ question: doc, rank: ranks.at(-1) }));
      }
      const milliseconds = (process.cpuUsage().user - began) / 1_000 / questions.length;
      const meanOf = (score: (rank: number) => number): string =>
        (ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : score(rank)), 0) / ranks.length).toFixed(3);
      rows.push([
        engine.name,
        `${file}, ${String(questions.length)}`,
        meanOf((rank) => 1 / rank),
        meanOf((rank) => (rank <= 10 ? 1 / rank : 0)),
        meanOf((rank) => Number(rank === 1)),
        meanOf((rank) => Number(rank <= 10)),
        milliseconds.toFixed(1),
      ]);
    }
  }
  if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
  console.log(`${functions.length.toLocaleString('en')} functions`);
  printTable(['', 'questions', 'MRR', 'MRR@10', 'first', 'in the first ten', 'CPU ms a question'], rows);
}
