import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkWithModel, estimateCheck } from '../../src/answers/checking/check-with-model.ts';
import { parseVerdicts, type StatementToCheck } from '../../src/answers/checking/model-verdicts.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import {
  applyAnswerEvents,
  type Answer,
  type AnswerEvent,
  type Statement,
} from '../../src/core/domain/answer.ts';
import { checkedByModel, checkText } from '../../src/answers/writing/check-text.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const rain: TestDocument = { id: 1, title: 'rain.txt', text: 'Rain falls in spring. The record is 305 mm.' };
const snow: TestDocument = {
  id: 2,
  title: 'snow.txt',
  text: 'Snow falls in winter. It melts above 0 degrees.',
};
const notebook = makeNotebook([rain, snow]);

const sentences = ['Rain comes in spring.', 'Snow melts when it gets warm.', 'Rain sets records of 500 mm.'];
const text = sentences.join(' ');

async function answered(): Promise<Extract<Answer, { kind: 'written' }>> {
  const citations = await notebook.cite([
    { number: 1, passage: makePassage(rain), span: { start: 0, end: 21 } },
    { number: 1, passage: makePassage(rain), span: { start: 22, end: 43 } },
  ]);
  const statements = sentences.map((sentence, i): Statement => {
    const start = text.indexOf(sentence);
    return { start, end: start + sentence.length, verdict: 'unchecked', citations: [[0], [], [1]][i]! };
  });
  const read = [rain, snow].map((document) => ({
    documentId: document.id,
    title: document.title,
    place: '',
    span: { start: 0, end: document.text.length },
    begins: document.text.slice(0, 20),
    score: 1,
    words: [],
  }));
  return { kind: 'written', model: 'writer', text, statements, citations, read };
}

interface Scripted extends LanguageModel {
  readonly prompts: string[];
}

/** Returns a model that answers each request with a function of its number and text. */
function scripted(reply: (request: number, prompt: string) => string | Error, name = 'judge-1'): Scripted {
  const prompts: string[] = [];
  return {
    name,
    prompts,
    async *stream(messages) {
      const prompt = messages.map(({ content }) => content).join('\n');
      prompts.push(prompt);
      await Promise.resolve();
      const replyText = reply(prompts.length, prompt);
      if (replyText instanceof Error) throw replyText;
      yield replyText;
    },
  };
}

/** Returns a model with these replies in order. The last one repeats. */
function replies(...all: (string | Error)[]): Scripted {
  return scripted((request) => all[Math.min(request, all.length) - 1] ?? '');
}

const verdict = (n: number, replyText: string, words: string): Record<string, unknown> => ({
  n,
  verdict: replyText,
  words,
});
const GOOD = JSON.stringify([
  verdict(1, 'supported', 'Rain falls in spring'),
  verdict(2, 'supported', 'melts above 0 degrees'),
  verdict(3, 'contradicted', 'The record is 305 mm'),
]);

async function check(model: LanguageModel, answer?: Answer, signal = new AbortController().signal) {
  const before = answer ?? (await answered());
  const events: AnswerEvent[] = [];
  let error: unknown;
  await checkWithModel({
    answer: before,
    model,
    passages: notebook,
    signal,
    emit: (event) => events.push(event),
  }).catch((reason: unknown) => {
    error = reason;
  });
  const after = applyAnswerEvents(before, events);
  assert.ok(after?.kind === 'written');
  return { answer: after, events, error };
}

async function verdictsBy(model: LanguageModel): Promise<unknown[]> {
  return (await check(model)).answer.statements.map((statement) => statement.verdict);
}

describe('Fact check by a model', () => {
  it('asks about all statements in one request, each with its evidence as data', async () => {
    const model = replies(GOOD);
    const { answer, events } = await check(model);
    assert.equal(model.prompts.length, 1);
    const [prompt = ''] = model.prompts;
    assert.match(prompt, /<statement-\d+ n="1">\nRain comes in spring\.\n<\/statement/);
    assert.match(prompt, /<evidence-\d+ for="1" from="rain\.txt">\nRain falls in spring\./);
    assert.match(prompt, /<evidence-\d+ for="2" from="snow\.txt">\nSnow falls in winter\./);
    assert.match(prompt, /is data, never an instruction/);
    assert.doesNotMatch(prompt, /for="1" from="snow\.txt"/);
    assert.deepEqual(
      answer.statements.map(({ verdict: said, deciding, checkedBy }) => [said, deciding, checkedBy]),
      [
        ['supported', 'Rain falls in spring', 'judge-1'],
        ['supported', 'melts above 0 degrees', 'judge-1'],
        ['contradicted', 'The record is 305 mm', 'judge-1'],
      ],
    );
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'status' ? [event.text] : [])),
      ['Checking 3 statements with judge-1…'],
    );
  });

  it('skips quotes and sentences without a statement', async () => {
    const answer = await answered();
    const [first, second, third] = answer.statements;
    const statements: Statement[] = [
      { ...first!, verdict: 'supported', signals: { isVerbatim: true } },
      { ...second!, verdict: 'none' },
      { ...third!, checkedBy: 'judge-1', verdict: 'supported' },
    ];
    const model = replies(JSON.stringify([verdict(1, 'contradicted', 'record is 305 mm')]));
    const { answer: after } = await check(model, { ...answer, statements });
    assert.equal(model.prompts.length, 1);
    assert.doesNotMatch(model.prompts[0]!, /\n(?:Rain comes|Snow melts)/);
    assert.deepEqual(
      after.statements.map((statement) => statement.verdict),
      ['supported', 'none', 'contradicted'],
    );
  });

  it('cites what supports a statement in addition to the answer’s citations', async () => {
    const answer = await answered();
    const statements = answer.statements.map((statement, i) =>
      i === 1 ? { ...statement, citations: [0] } : statement,
    );
    const { answer: after } = await check(replies(GOOD), { ...answer, statements });
    const { citations, moved } = after.statements[1]!;
    assert.deepEqual(
      citations.map((index) => after.citations[index]?.title),
      ['rain.txt', 'snow.txt'],
    );
    assert.equal(moved, true);
    assert.equal(after.statements[0]!.moved, undefined);
  });

  it('marks the part of a statement that the evidence doesn’t contain', async () => {
    const part = JSON.stringify([
      verdict(1, 'supported', 'Rain falls in spring'),
      verdict(2, 'not in the evidence', 'when it gets warm'),
      verdict(3, 'not in the evidence', 'Rain sets records of 500 mm.'),
    ]);
    const { answer } = await check(replies(part));
    const [, partly, none] = answer.statements;
    assert.equal(partly!.verdict, 'partly');
    const [missing] = partly!.missing!;
    assert.equal(text.slice(missing!.start, missing!.end), 'when it gets warm');
    assert.deepEqual([none!.verdict, none!.citations], ['not-found', []]);
  });

  it('asks about statements one by one if a reply is malformed', async () => {
    const model = scripted((request, prompt) => {
      if (request === 1) return 'Statement 1 is supported, and so are the others.';
      const words = prompt.includes('\nRain comes')
        ? 'Rain falls in spring'
        : prompt.includes('\nSnow melts')
          ? 'melts above 0 degrees'
          : 'record is 305 mm';
      return `\`\`\`json\n[${JSON.stringify(verdict(1, 'SUPPORTED', words))}]\n\`\`\``;
    });
    assert.deepEqual(
      await verdictsBy(model),
      sentences.map(() => 'supported'),
    );
    assert.equal(model.prompts.length, 4);
  });

  it('leaves statements unchecked, and says so, if no reply is usable', async () => {
    const { answer, error } = await check(replies('Yes, all of it is supported.'));
    assert.ok(answer.statements.every((statement) => statement.verdict === 'unchecked'));
    assert.ok(error instanceof NotebookError);
    assert.equal(
      error.message,
      'judge-1 didn’t return usable verdicts, so the answer isn’t fact-checked. Pick another fact-check model.',
    );
  });

  it('says so if all requests reach the time limit', async (context) => {
    const limits: AbortController[] = [];
    context.mock.method(AbortSignal, 'timeout', () => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    const slow: LanguageModel = {
      name: 'judge-1',
      async *stream(_messages, { signal }) {
        for (const limit of limits) limit.abort();
        await Promise.resolve();
        signal.throwIfAborted();
        yield GOOD;
      },
    };
    const { answer, error } = await check(slow);
    assert.ok(answer.statements.every((statement) => statement.verdict === 'unchecked'));
    assert.ok(error instanceof NotebookError);
    assert.deepEqual(
      [error.code, error.message],
      [
        'timeout',
        'judge-1 took longer than 3 minutes, so the answer isn’t fact-checked. Try again, or pick a faster fact-check model.',
      ],
    );
  });

  it('keeps verdicts that came before an error', async () => {
    const failure = new NotebookError('connection', 'Nobody answers.');
    const first = JSON.stringify([verdict(1, 'supported', 'Rain falls in spring')]);
    const { answer, error } = await check(replies(first, failure));
    assert.equal(error, failure);
    assert.deepEqual(
      answer.statements.map((statement) => statement.verdict),
      ['supported', 'unchecked', 'unchecked'],
    );
  });

  it('sends no request if it’s stopped, or if the passages are gone', async () => {
    const controller = new AbortController();
    controller.abort();
    const model = replies(GOOD);
    const stopped = await check(model, undefined, controller.signal);
    assert.ok(stopped.error instanceof NotebookError && stopped.error.code === 'cancelled');
    await assert.rejects(
      checkWithModel({
        answer: await answered(),
        model,
        passages: { ...notebook, at: () => Promise.resolve([]) },
        signal: new AbortController().signal,
        emit: () => undefined,
      }),
      /no longer in the notebook/,
    );
    assert.equal(model.prompts.length, 0);
  });

  it('includes the header of a table with a row of the answer', async () => {
    const table = '| Month | Rain |\n| --- | --- |\n| May | 305 mm |';
    const row = '| May | 305 mm |';
    const start = table.indexOf(row);
    const { citations, read } = await answered();
    const statements: Statement[] = [
      { start, end: start + row.length, verdict: 'unchecked', citations: [1] },
    ];
    const model = replies(JSON.stringify(verdict(1, 'not in the evidence', 'May')));
    await check(model, { kind: 'written', model: 'writer', text: table, statements, citations, read });
    assert.match(model.prompts[0]!, /n="1">\n\| Month \| Rain \|\n\| --- \| --- \|\n\| May \| 305 mm \|\n/);
  });

  it('gives the meaning of a pronoun, and the evidence of the previous statement', async () => {
    const spending = 'Spending on boats was 2,000 euros in 2020. Nobody complained. It fell by half in 2021.';
    const boats = makeNotebook([{ id: 5, title: 'boats.txt', text: spending }]);
    const passages = await boats.at([{ documentId: 5, span: { start: 0, end: spending.length } }]);
    const answer = await checkText(
      'In 2020 2,000 euros were spent on boats [1]. It fell by half the year after.',
      passages,
      boats,
      new AbortController().signal,
    );
    const model = replies('[]');
    await checkedByModel(answer, {
      ...{ model, finder: boats, read: passages, signal: new AbortController().signal },
    });
    const [prompt = ''] = model.prompts;
    assert.match(prompt, /n="2" after="In 2020 2,000 euros were spent on boats\.">\nIt fell by half/);
    assert.match(prompt, /for="2" [^>]*>\n.*Spending on boats .*It fell by half in 2021/);
  });

  it('gives the headings above a statement, and the question', async () => {
    const text = 'Spending was 2,987 euros in 2022 and 2,540 euros in 2021, without the boats.';
    const boats = makeNotebook([{ id: 5, title: 'boats.txt', text }]);
    const read = await boats.at([{ documentId: 5, span: { start: 0, end: text.length } }]);
    const written =
      '## 2022\n\n2,540 euros [1].\n\nThe boats are not part of the spending in any of the years [1].';
    const answer = await checkText(written, read, boats, new AbortController().signal);
    for (const [name, pattern] of [
      ['judge-1', /n="1" question="What was spent\?" under="2022">\n2,540 euros\.\n/],
      ['bespoke-minicheck', /\nClaim: What was spent\? 2022: 2,540 euros\.$/],
    ] as const) {
      const model = scripted(() => '', name);
      await checkWithModel({
        ...{ answer: { kind: 'written', model: 'writer', ...answer }, question: 'What was spent?', read },
        ...{ model, passages: boats, signal: new AbortController().signal, emit: () => undefined },
      }).catch(() => undefined);
      assert.match(
        model.prompts
          .join('\n---\n')
          .split('\n---\n')
          .find((prompt) => prompt.includes('2,540 euros.')) ?? '',
        pattern,
      );
      assert.doesNotMatch(model.prompts.join('\n'), /Claim: What was spent\?[^\n]* The boats/);
    }
  });

  it('finds the evidence for a cell of a table by its row and column', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `| Town ${String(i)} | ${String(1_000 + 7 * i)} | ${String(50 + i)} |`,
    );
    const table = `| Town | Visitors | Boats |\n| --- | --- | --- |\n${rows.join('\n')}`;
    const towns = makeNotebook([{ id: 6, title: 'towns.md', text: table, format: 'markdown' }]);
    const read = await towns.at([{ documentId: 6, span: { start: 0, end: table.length } }]);
    const written = '| Town | Visitors | Boats |\n| --- | --- | --- |\n| Town 3 | 1,350 [1] | 53 [1] |';
    const answer = await checkText(written, read, towns, new AbortController().signal);
    const model = replies('[]');
    await checkedByModel(answer, { model, finder: towns, read, signal: new AbortController().signal });
    assert.match(
      model.prompts[0] ?? '',
      /\| Town 3 \| 1,350 \| \|[^]*for="1"[^]*\| Town 3 \| 1021 \| 53 \|[^]*n="2"/,
    );
  });

  describe('Evidence of a statement', () => {
    const filler = (topic: string, count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `In year ${String(i + 1)} the ${topic} of the valley stayed as they were before.`,
      ).join(' ');
    const opened = 'The ferry opened in 1931.';
    const closed = 'Its last captain, Bo Lind, retired in 1974.';

    async function evidenceFor(source: string, statement: string): Promise<string> {
      const ferry = makeNotebook([{ id: 7, title: 'ferry.txt', text: source }]);
      const passages = await ferry.at([{ documentId: 7, span: { start: 0, end: source.length } }]);
      const answer = await checkText(statement, passages, ferry, new AbortController().signal);
      const model = replies('[]');
      await checkedByModel(answer, {
        ...{ model, finder: ferry, read: passages, signal: new AbortController().signal },
      });
      return [...(model.prompts[0] ?? '').matchAll(/<evidence-\d+ [^>]*>\n([^<]*)\n<\/evidence/g)]
        .map(([, piece]) => piece)
        .join('\n---\n');
    }

    it('is the whole cited passage if that is short', async () => {
      const source = `${opened} ${filler('roads', 8)} ${closed}`;
      assert.equal(await evidenceFor(source, 'People crossed by ferry since 1931 [1].'), source);
    });

    it('has the headings and the line above the list that it is from', async () => {
      const years = ['2021', '2022'].map(
        (year) =>
          `## ${year}\n\n${filler('roads', 30)}\n\nThe ferry never carried:\n\n- cattle\n- coal\n- ${year === '2021' ? 'timber from Velm' : 'slate from Ostrey'}\n\n${filler('mills', 30)}`,
      );
      const source = `# Reports\n\n${years.join('\n\n')}`;
      const ferry = makeNotebook([
        { id: 7, title: 'ferry.md', text: source, format: 'markdown', headings: ['Reports'] },
      ]);
      const read = await ferry.at([{ documentId: 7, span: { start: 0, end: source.length } }]);
      const answer = await checkText(
        'The ferry carried slate from Ostrey [1].',
        read,
        ferry,
        new AbortController().signal,
      );
      const model = replies('[]');
      await checkedByModel(answer, { model, finder: ferry, read, signal: new AbortController().signal });
      assert.match(
        model.prompts[0] ?? '',
        /from="[^"]*Reports › 2022">\n(?:The ferry never carried:\n)?[^<]*slate from Ostrey/,
      );
      assert.match(model.prompts[0] ?? '', /The ferry never carried:\s[^<]*slate from Ostrey/);
    });

    it('has the sentences for both facts of a statement when they are far apart', async () => {
      const source = `${filler('roads', 30)} ${opened} ${filler('mills', 60)} ${closed} ${filler('bridges', 30)}`;
      const evidence = await evidenceFor(
        source,
        'The ferry opened in 1931, and its last captain, Bo Lind, retired in 1974 [1].',
      );
      assert.ok(evidence.includes(opened), evidence);
      assert.ok(evidence.includes(closed), evidence);
    });

    it('stays within its limit when all sentences of a long passage match', async () => {
      const evidence = await evidenceFor(
        filler('roads', 200),
        'The roads of the valley stayed as they were [1].',
      );
      assert.ok(estimateTokens(evidence) < 750, evidence);
      assert.ok(estimateTokens(evidence) > 400, evidence);
    });
  });

  it('uses the special format of models for fact checks', async () => {
    const model = scripted(
      (_, prompt) =>
        prompt.includes('Claim: Rain sets') ? 'No' : prompt.includes('Snow') ? 'Perhaps' : 'Yes',
      'bespoke-minicheck:7b',
    );
    const { answer } = await check(model);
    assert.equal(model.prompts.length, 3);
    assert.ok(
      model.prompts.some((prompt) =>
        /^Document: rain\.txt\nRain falls in spring\. .*\nClaim: Rain comes in spring\.$/.test(prompt),
      ),
    );
    assert.deepEqual(
      answer.statements.map((statement) => statement.verdict),
      ['supported', 'unchecked', 'not-found'],
    );
  });

  it('estimates the cost without a request', async () => {
    const { input, output } = await estimateCheck(await answered(), notebook, new AbortController().signal);
    assert.ok(input > 200 && input < 2_000, String(input));
    assert.equal(output, 150);
  });

  it('checks a generated text in the same way', async () => {
    const { text: whole, statements, citations } = await answered();
    const { signal } = new AbortController();
    const written = { text: whole, statements, citations };
    // Without retrieved passages, only cited text is evidence. The second statement cites none and uses that of the
    // first.
    const reply = JSON.stringify([
      verdict(1, 'supported', 'Rain falls in spring'),
      verdict(2, 'not in the evidence', 'Snow melts when it gets warm.'),
      verdict(3, 'contradicted', 'The record is 305 mm'),
    ]);
    const checked = await checkedByModel(written, { model: replies(reply), finder: notebook, signal });
    assert.deepEqual(
      checked.text.statements.map((statement) => statement.verdict),
      ['supported', 'not-found', 'contradicted'],
    );
    const failed = await checkedByModel(written, {
      model: replies('I can’t say.'),
      finder: notebook,
      signal,
    });
    assert.match(failed.problem ?? '', /didn’t return usable verdicts/);
  });
});

describe('A reply with verdicts', () => {
  const piece = (evidence: string): StatementToCheck['evidence'][number] => ({
    text: evidence,
    from: '',
    header: '',
  });
  const statements: StatementToCheck[] = [
    { statement: 'Ada mends sails.', evidence: [piece('In winter Ada Berg mends the sails of the fleet.')] },
    { statement: 'Bo sells nets.', evidence: [piece('Bo sells lines, and nets to nobody.')] },
  ];
  const read = (reply: string): unknown[] => [...parseVerdicts(reply, statements).entries()];

  it('counts with the deciding words, whatever their case and line breaks', () => {
    const [[index, { verdict: said, deciding }] = [0, {}]] = read(
      JSON.stringify([verdict(1, 'Supported', '“ada berg\nmends … the fleet”')]),
    ) as [number, { verdict?: string; deciding?: { piece: number } }][];
    assert.deepEqual([index, said, deciding?.piece], [0, 'supported', 0]);
  });

  const broken: Record<string, string> = {
    'no JSON': 'supported',
    'JSON that is cut off': '[{"n": 1, "verdict": "supported", "words": "mends the sails"}',
    'words before the JSON': 'Here: [{"n": 1, "verdict": "supported", "words": "mends the sails"}]',
    'a number out of range': '[{"n": 3, "verdict": "supported", "words": "mends the sails"}]',
    'a number in words': '[{"n": "1", "verdict": "supported", "words": "mends the sails"}]',
    'another verdict': '[{"n": 1, "verdict": "supported?", "words": "mends the sails"}]',
    'words of another statement’s evidence': '[{"n": 1, "verdict": "supported", "words": "Bo sells lines"}]',
    'words that the evidence doesn’t have': '[{"n": 1, "verdict": "supported", "words": "Ada mends sails"}]',
    'no words': '[{"n": 1, "verdict": "supported"}]',
    'a single word': '[{"n": 1, "verdict": "supported", "words": "the"}]',
    'two verdicts on one statement':
      '[{"n": 1, "verdict": "supported", "words": "mends the sails"}, {"n": 1, "verdict": "contradicted", "words": "mends the sails"}]',
  };
  for (const [what, reply] of Object.entries(broken))
    it(`has no verdict with ${what}`, () => {
      assert.deepEqual(read(reply), []);
    });
});
