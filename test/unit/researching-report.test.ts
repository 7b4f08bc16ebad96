import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChatMessage } from '../../src/answers/models/language-model.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { citationLinks } from '../../src/core/domain/citation-links.ts';
import { NOTHING_SPENT, type ResearchMemory } from '../../src/features/research/model/project.ts';
import type { BoardClient } from '../../src/features/research/service/board-client.ts';
import { doResearch, reportSoFar } from '../../src/features/research/service/research.ts';
import { PLAN_LINE } from '../../src/features/research/service/plan/plan-prompt.ts';
import { plainBeginning, cutSections } from '../../src/features/research/service/report/headings.ts';
import { outlineIn, OUTLINE, VOICE } from '../../src/features/research/service/report/report.ts';
import { changesBetween, reviseSection } from '../../src/features/research/service/report/revise.ts';
import { Budget } from '../../src/features/research/service/work/budget.ts';
import type { ResearchServices } from '../../src/features/research/service/work/services.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { readPairs } from '../bench/altered-sentences.ts';
import { makeJudge } from '../support/judge.ts';
import { doAsUser } from '../support/made-boards.ts';
import {
  actingModel,
  addResearch,
  openWithTexts,
  numberOfPassage,
  removeSource,
  scriptedModel,
  step,
  makeServices,
  type ScriptedModel,
  type TestResearch,
  weatherTexts,
} from '../support/researching.ts';

function run(
  index: NotebookIndex,
  { board, researchId }: TestResearch,
  model: ScriptedModel,
  more: Partial<ResearchServices> = {},
  how = doResearch,
  window = 'here',
  { signal } = new AbortController(),
): Promise<void> {
  return how({
    ...{ board, researchId, window, signal },
    services: makeServices(index, model, { writesReport: true, checker: { model: makeJudge() }, ...more }),
    onChange: () => undefined,
    emit: () => undefined,
  });
}

function isFor(messages: readonly ChatMessage[], purpose: string): boolean {
  return messages[0]?.content.startsWith(purpose) === true;
}

const PLAN = {
  steps: [
    step('rain', { target: 'Tell the record of rain' }),
    step('snow', { target: 'Tell the deepest snow' }),
  ],
  parts: [
    { text: 'The record of rain', product: 'rain-text' },
    { text: 'The deepest snow', product: 'snow-text' },
  ],
};

/** Returns a model that writes two sections, an outline, an opening, and transitions. */
function writer(voice: string): ScriptedModel {
  return scriptedModel(({ purpose, messages }) => {
    if (isFor(messages, OUTLINE)) return 'TITLE: Weather records\n2. Deep snow\n1. Heavy rain\n7. Nothing';
    if (isFor(messages, VOICE)) return voice;
    if (purpose !== 'act') return undefined;
    const isRain =
      messages[1]?.content.includes('record of rain') === true &&
      !messages[1].content.includes('Tell the deepest');
    return isRain
      ? `# Rain\n\nThe record of rain is 305 mm in one hour ${numberOfPassage(messages, '305 mm')}.`
      : `The deepest snow lay 11.82 m deep at Mount Ibuki ${numberOfPassage(messages, '11.82 m')}. Elephants ski in Nepal every Tuesday.`;
  });
}

test('writes a report as a note with an outline, sections with citations, and omissions', async () => {
  const index = await openWithTexts(weatherTexts);
  const model = writer(
    'OPENING: The deepest snow lay 11.82 m deep [1]. Nobody has ever seen a unicorn farm [2].\n2. And how much does it rain?\n1. Ignored.',
  );
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  await run(index, research, model);
  const now = research.now();
  assert.equal(now.state, 'done');
  assert.equal(now.report, 'Weather records');
  const note = index.features.notes.open('Weather records');
  const plain = note.text.replaceAll(/ \[\d+\]\(citation\/[^)]*\)/g, ' [·]');
  assert.equal(
    plain,
    [
      '# Weather records',
      'The deepest snow lay 11.82 m deep [·].',
      '## Deep snow',
      'The deepest snow lay 11.82 m deep at Mount Ibuki [·].',
      '## Heavy rain',
      'And how much does it rain?',
      'The record of rain is 305 mm in one hour [·].',
      '## About this report',
      '- 1 statement that the sources don’t fully support was removed or marked.\n\n',
    ]
      .join('\n\n')
      .replaceAll(' [·].', '. [·]'),
  );
  assert.equal(citationLinks(note.text).length, 3);
  const [memory] = index.features.researches.board.memories();
  assert.equal(memory?.goal, 'Weather');
  assert.deepEqual(Object.keys(memory.products), ['rain-text', 'snow-text']);
  assert.deepEqual(
    memory.figures?.map(({ product, numbers }) => [product, numbers[0]]),
    [
      ['rain-text', '305 mm'],
      ['snow-text', '11.82 m'],
    ],
  );
});

test('writes a report without an outline and transitions if the model returns none', async () => {
  const index = await openWithTexts(weatherTexts);
  const other = writer('');
  const model = scriptedModel((request) =>
    isFor(request.messages, OUTLINE) || isFor(request.messages, VOICE) ? 'Hmm!' : undefined,
  );
  const mixed: ScriptedModel = {
    ...other,
    stream: (messages, options) =>
      (isFor(messages, OUTLINE) || isFor(messages, VOICE) ? model : other).stream(messages, options),
  };
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  await run(index, research, mixed);
  const note = index.features.notes.open('Weather');
  assert.deepEqual(
    cutSections(note.text).map(({ level, title }) => `${'#'.repeat(level)} ${title}`),
    ['# Weather', '## Rain', '## The deepest snow', '## About this report'],
  );
});

test('writes a report if the last step is done by hand, or was done before', async () => {
  const index = await openWithTexts(weatherTexts);
  const byHand = addResearch(index, PLAN, { goal: 'Weather' });
  doAsUser(index.features.researches.board, byHand.researchId, 'rain', 'It rains.');
  doAsUser(index.features.researches.board, byHand.researchId, 'snow', 'It snows.');
  assert.equal(byHand.now().state, 'done');
  await run(index, byHand, writer(''));
  assert.match(index.features.notes.open(byHand.now().report ?? '').text, /It snows\./);

  const first = addResearch(index, PLAN, { goal: 'Weather' });
  await run(index, first, writer(''));
  const second = addResearch(index, PLAN, { goal: 'The same weather' });
  const model = writer('');
  await run(index, second, model);
  assert.ok(second.now().steps.every(({ sameAs }) => sameAs !== undefined));
  assert.ok(model.requests.every(({ purpose }) => purpose !== 'act'));
  assert.match(index.features.notes.open(second.now().report ?? '').text, /305 mm/);
});

test('writes a report in only one of two windows, and again after a rerun in the other', async () => {
  const index = await openWithTexts(weatherTexts);
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  const windows = ['here', 'there'].map((window) => run(index, research, writer(''), {}, doResearch, window));
  await Promise.all(windows);
  const { report } = research.now();
  assert.deepEqual(
    index.features.notes.list().map(({ title }) => title),
    [report],
  );
  await research.board.call('redoStep', { researchId: research.researchId, stepId: 'snow' });
  assert.equal(research.now().report, undefined);
  await run(index, research, writer(''));
  assert.equal(index.features.notes.list().length, 2);
  assert.notEqual(research.now().report, report);
});

test('finishes the report of a window that is killed while writing it', async () => {
  const index = await openWithTexts(weatherTexts);
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  let isKilled = false;
  const stopping = new AbortController();
  const board: BoardClient = {
    call: (method, params) => {
      if (isKilled) return Promise.reject(new Error('Killed.'));
      const short = method === 'claimWhole' ? { ...(params as object), hold: 300 } : params;
      return research.board.call(method, short as typeof params);
    },
  };
  const dying = writer('');
  const killed = Promise.withResolvers<undefined>();
  const model: ScriptedModel = {
    ...dying,
    stream: (messages, options) => {
      if (!isFor(messages, OUTLINE)) return dying.stream(messages, options);
      isKilled = true;
      killed.resolve(undefined);
      return scriptedModel(() => new Promise(() => undefined)).stream(messages, options);
    },
  };
  const last = run(index, { ...research, board }, model, {}, doResearch, 'killed', stopping);
  await killed.promise;
  assert.equal(research.now().report, undefined);
  await run(index, research, writer(''), {}, doResearch, 'there');
  stopping.abort();
  await last;
  assert.deepEqual(
    index.features.notes.list().map(({ title }) => title),
    [research.now().report],
  );
});

test('keeps one note of a window that is killed right after saving its report', async () => {
  const index = await openWithTexts(weatherTexts);
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  let isKilled = false;
  const board: BoardClient = {
    call: async (method, params) => {
      if (isKilled) throw new Error('Killed.');
      const result = await research.board.call(method, params);
      // The call never returns, and no later call runs.
      isKilled = index.features.notes.list().length > 0;
      if (isKilled) throw new Error('Killed.');
      return result;
    },
  };
  await assert.rejects(run(index, { ...research, board }, writer(''), {}, doResearch, 'killed'));
  assert.ok(isKilled);
  const { report } = research.now();
  assert.deepEqual(
    index.features.notes.list().map(({ title }) => title),
    [report],
  );
  await run(index, research, writer(''), {}, doResearch, 'there');
  assert.equal(index.features.notes.list().length, 1);
  assert.equal(research.now().report, report);
});

test('writes a report despite a failed step, and names what is missing', async () => {
  const index = await openWithTexts(weatherTexts);
  const good = writer('');
  const bad = scriptedModel(() => 'Cows give chocolate.');
  const model: ScriptedModel = {
    ...good,
    stream: (messages, options) =>
      (messages[1]?.content.includes('Tell the deepest snow') === true ? bad : good).stream(
        messages,
        options,
      ),
  };
  const research = addResearch(index, PLAN, { goal: 'Weather', bounds: { dollars: 1 } });
  await run(index, research, model, { prices: { input: 1, output: 2 } });
  assert.equal(research.now().state, 'failed');
  assert.equal(research.now().report, undefined);
  const { dollars, tokens } = research.now().spent;
  assert.ok(dollars > 0 && dollars < (3 * tokens) / 1_000_000);
  await run(index, research, model, {}, reportSoFar);
  const { text } = index.features.notes.open(research.now().report ?? '');
  assert.match(text, /305 mm/);
  assert.match(text, /- “Tell the deepest snow” wasn’t completed: The submitted result was rejected/);
  assert.equal(index.features.researches.board.memories().length, 0);
});

test('reads an outline whatever surrounds it', () => {
  const { title, order, headings } = outlineIn(
    'Sure!\n**TITLE:** Rain\n\n2) Snow\n**1.** Rain\n2. Again\n9. Gone',
    3,
  );
  assert.equal(title, 'Rain');
  assert.deepEqual(order, [1, 0]);
  assert.deepEqual([...headings.values()], ['Snow', 'Rain']);
});

test('keeps 95 of 100 sentences true when a model lies twice for every true one', async () => {
  const folder = join(import.meta.dirname, '../fixtures/evidence');
  const all = readPairs().filter(({ kind }) => kind !== 'source');
  const documents = [...new Set(all.map(({ document }) => document))];
  const names = documents.slice(0, 5);
  const pairs = all.filter(({ document }) => names.includes(document));
  // Sentences in the same style about documents that aren't in the notebook.
  const invented = all.filter(({ document }) => !names.includes(document)).map(({ sentence }) => sentence);
  const index = await openWithTexts(
    Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  );
  const cited = (sentence: string, number: number): string =>
    sentence.replace(/\.$/, ` [${String(number + 1)}].`);
  const model = scriptedModel(({ purpose, messages }) => {
    const own = pairs.filter(({ document }) => messages[1]?.content.includes(`all of ${document}.`));
    if (isFor(messages, VOICE)) return `OPENING: ${invented.slice(0, 3).join(' ')}`;
    if (isFor(messages, OUTLINE)) return 'TITLE: Most of it is lies';
    if (purpose !== 'act') return undefined;
    const searches = messages.filter(({ role }) => role === 'assistant').length;
    const queries = own.slice(4 * searches, 4 * searches + 4).map(({ sentence }) => sentence);
    if (queries.length > 0) return `USE search ${JSON.stringify({ queries })}`;
    // Some passage is cited for every sentence.
    return own
      .flatMap(({ sentence, altered }, i) => [
        cited(sentence, i % 7),
        cited(i % 2 === 0 ? altered : (invented[i % invented.length] ?? ''), i % 5),
        cited(invented[(i * 3 + 1) % invented.length] ?? '', i % 3),
      ])
      .join(' ');
  });
  const plan = {
    steps: names.map((name, i) =>
      step(`s${String(i)}`, { target: `Tell all of ${name}.`, materials: [`source:${findId(index, name)}`] }),
    ),
    parts: names.map((name, i) => ({ text: name, product: `s${String(i)}-text` })),
  };
  const research = addResearch(index, plan, { goal: 'Everything' });
  const sentences = new Set(pairs.map(({ sentence }) => sentence));
  await run(index, research, model, {
    checker: { model: makeJudge((statement) => sentences.has(statement)) },
  });
  assert.equal(research.now().state, 'done');
  const { text } = index.features.notes.open('Most of it is lies');
  const correctCount = pairs.filter(({ sentence }) => text.includes(sentence)).length;
  const lies = [...pairs.map(({ altered }) => altered), ...invented].filter((lie) => text.includes(lie));
  assert.ok(
    correctCount >= 0.85 * pairs.length,
    `${String(correctCount)} of ${String(pairs.length)} true ones`,
  );
  assert.ok(lies.length <= 0.05 * (correctCount + lies.length), lies.join('\n'));
});

function findId(index: NotebookIndex, title: string): string {
  return index.store.sources().find((source) => source.title === title)?.id ?? '';
}

test('turns a goal into a plan, steps, and a report', async () => {
  const index = await openWithTexts(weatherTexts);
  const model = scriptedModel(({ purpose, messages }) => {
    if (purpose === 'act')
      return `The record of rain is 305 mm in one hour ${numberOfPassage(messages, '305 mm')}.`;
    if (purpose === 'self-check') return 'OK';
    if (isFor(messages, OUTLINE)) return 'TITLE: Rain';
    if (isFor(messages, VOICE)) return '';
    const system = messages[0]?.content ?? '';
    if (/parts|backward/i.test(system.split('\n', 1)[0] ?? '')) return '- The record of rain';
    if (system.startsWith('Make a plan') || /plan/i.test(system.split('\n', 1)[0] ?? ''))
      return system.startsWith('Check') || /object|critic|wrong/i.test(system.split('\n', 1)[0] ?? '')
        ? 'OK'
        : `\`\`\`json\n${JSON.stringify({
            steps: [
              {
                ...{
                  id: 's1',
                  action: 'write-section',
                  target: 'Tell the record of rain',
                  materials: ['sources'],
                },
                ...{ tools: ['search'], produces: 'rain', quantity: -1 },
              },
            ],
            parts: [{ text: 'The record of rain', product: 'rain' }],
          })}\n\`\`\``;
    return 'OK';
  });
  const research = addResearch(index, undefined, { goal: 'What is the record of rain?' });
  await run(index, research, model);
  const now = research.now();
  assert.equal(now.reason, undefined);
  assert.equal(now.state, 'done');
  assert.match(index.features.notes.open(now.report ?? '').text, /305 mm in one hour/);
  const project = addResearch(index, undefined, {
    goal: 'What is the record of rain, again?',
    options: { approves: true },
  });
  await run(index, project, model);
  assert.equal(project.now().state, 'planned');
});

test('plans with shared memories of other members', async () => {
  const index = await openWithTexts(weatherTexts);
  const research = addResearch(index, undefined, { goal: 'Tell the record of rain' });
  const model = scriptedModel(() => 'OK');
  const memory: ResearchMemory = {
    ...{ id: 'shared:rain.json', goal: 'Tell the record of rain', plan: PLAN, keptAt: 1, isShared: true },
    ...{ situation: { sources: ['rain.md'], open: [] }, products: {}, spent: NOTHING_SPENT },
    figures: [{ product: 'rain-text', numbers: ['7 mm'], text: 'It rained 7 mm elsewhere.' }],
  };
  await run(index, research, model, { sharedMemories: () => Promise.resolve([memory]) });
  const [asked] = model.requests.filter(({ messages }) => isFor(messages, PLAN_LINE));
  const promptText = asked?.messages.map(({ content }) => content).join('\n') ?? '';
  assert.match(promptText, /write-section: Tell the deepest snow.*\n\s+Found: It rained 7 mm elsewhere/);
});

test('passes comments on a plan to the next round and keeps finished steps', async () => {
  const index = await openWithTexts(weatherTexts);
  const research = addResearch(index, PLAN, { goal: 'Weather', options: { approves: true } });
  const { board } = index.features.researches;
  const { researchId } = research;
  doAsUser(board, researchId, 'rain', 'It rains.');
  board.commentPlan({ researchId, stepId: 'snow', text: 'Not snow, but fog!' });
  board.changeResearch({ researchId, state: 'planning' });
  const model = scriptedModel(({ messages }) => {
    const all = messages.map(({ content }) => content).join('\n');
    if (!isFor(messages, PLAN_LINE)) return 'OK';
    assert.match(all, /Not snow, but fog!/);
    const fog = step('fog', { target: 'Tell what fog is', produces: 'fog-text' });
    return `\`\`\`json\n${JSON.stringify({ steps: [PLAN.steps[0], fog], parts: [PLAN.parts[0], { text: 'Fog', product: 'fog-text' }] })}\n\`\`\``;
  });
  await run(index, research, model);
  const now = research.now();
  assert.equal(now.state, 'planned');
  assert.deepEqual(
    now.steps.map(({ id, state, produces }) => [id, state, produces]),
    [
      ['rain', 'done', 'rain-text'],
      [now.steps[1]?.id, 'ready', 'fog-text'],
    ],
  );
  assert.ok(now.comments.every(({ isHeard }) => isHeard));
});

test('revises only the section with a comment, and checks it', async () => {
  const index = await openWithTexts(weatherTexts);
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  await run(index, research, writer(''));
  const note = index.features.notes.open('Weather records');
  const section = cutSections(note.text).findIndex(({ title }) => title === 'Heavy rain');
  const model = scriptedModel(({ messages }) => {
    const [holt, fog] = [numberOfPassage(messages, 'at Holt'), numberOfPassage(messages, 'Advection')];
    return `The record of rain is 305 mm in one hour ${holt}. It was at Holt in 1947 ${holt}. Advection fog forms over cold water ${fog}. Cows give chocolate.`;
  });
  const services = makeServices(index, model, { checker: { model: makeJudge() } });
  const { signal } = new AbortController();
  const budget = new Budget(research.board, research.researchId, Date.now);
  const revision = await reviseSection({
    context: { services, budget, record: () => undefined, signal },
    note,
    section,
    comment: 'Say where and when, and tell of fog, too.',
    tools: ['search'],
    holder: { kind: 'model', name: '1', window: 'here' },
  });
  assert.match(
    model.requests[0]?.messages[1]?.content ?? '',
    /305 mm in one hour \[\d\]|305 mm in one hour\.\[\d\]/,
  );
  assert.deepEqual(revision.cut, ['Cows give chocolate.']);
  assert.ok(revision.text.startsWith(note.text.slice(0, note.text.indexOf('## Heavy rain'))));
  assert.match(revision.after, /It was at Holt in 1947\. \[\d\]\(citation/);
  assert.deepEqual(new Set(revision.changes.map(({ kind }) => kind)), new Set(['added', 'removed']));
  const ids = new Set(revision.citations.map(({ id }) => id));
  for (const { id } of citationLinks(revision.text)) assert.ok(ids.has(id));
});

test('identifies sections by their first words, without marks and citations', () => {
  const link = '[12](citation/0f3a0f3a0f3a0f3a "garden.md, L3")';
  const cases: readonly (readonly [string, string])[] = [
    [
      `\n\n**Rain** falls in _spring_. ${link} It [melts](https://a.example) later.`,
      'Rain falls in spring. It melts later.',
    ],
    [`- one of \`two\` ${link}${link}\n- another`, 'one of two'],
    ['| Place | Depth |\n| --- | --- |', 'Place Depth'],
    ['## 3\\. *What* was found', '3. What was found'],
    ['> 3) said of #5', 'said of #5'],
    ['#5 was closed', '#5 was closed'],
    ['2. snake_case stays 2 * 3', 'snake_case stays 2 3'],
    ['![](data:,x)\n\n> said', 'said'],
    ['', ''],
  ];
  for (const [text, words] of cases) assert.equal(plainBeginning(text, 80), words);
  assert.equal(plainBeginning('Rain falls', 4), 'Rain');
});

test('lists changes block by block', () => {
  assert.deepEqual(changesBetween('A.\n\nB.\n\n- c\n- d', 'A.\n\nX.\n\n- c\n- e\n- d'), [
    { kind: 'same', text: 'A.' },
    { kind: 'removed', text: 'B.' },
    { kind: 'added', text: 'X.' },
    { kind: 'same', text: '- c' },
    { kind: 'added', text: '- e' },
    { kind: 'same', text: '- d' },
  ]);
});

test('reruns a search once if the sources changed before the report is written', async () => {
  const index = await openWithTexts(weatherTexts);
  const model = actingModel(({ messages }) => {
    if (messages[1]?.content.includes('Tell the record of rain') === true)
      return `The record of rain is 305 mm in one hour ${numberOfPassage(messages, '305 mm')}.`;
    const now = numberOfPassage(messages, '12.5 m');
    return now === ''
      ? `The deepest snow lay 11.82 m deep ${numberOfPassage(messages, '11.82 m')}.`
      : `The deepest snow lay 12.5 m deep ${now}.`;
  });
  const source = index.store.sources().find(({ title }) => title === 'snow.md')?.id ?? '';
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  const client = research.board;
  let handedIn = 0;
  const board: typeof client = {
    call: async (method, params, ...rest) => {
      const result = await client.call(method, params, ...rest);
      if (method === 'submitStep' && ++handedIn === 2) {
        const text = '# Snow\n\nThe deepest snow lay 12.5 m deep.';
        await index.putDocument(source, {
          ...{ key: '', uri: 'file:///notes/snow.md', hash: 'another', size: text.length, modifiedAt: 2 },
          document: readMarkdown(text),
        });
      }
      return result;
    },
  };
  await run(index, { ...research, board }, model);
  const now = research.now();
  assert.equal(now.state, 'done');
  assert.equal(handedIn, 3);
  const { text } = index.features.notes.open(now.report ?? '');
  assert.match(text, /12\.5 m deep/);
  assert.doesNotMatch(text, /11\.82|changed since/);
});

test('reports cited passages that are gone when it is written', async () => {
  const index = await openWithTexts(weatherTexts);
  const model = writer('');
  const research = addResearch(index, PLAN, { goal: 'Weather' });
  const client = research.board;
  let handedIn = 0;
  const board: typeof client = {
    call: async (method, params, ...rest) => {
      const result = await client.call(method, params, ...rest);
      const source = index.store.sources().find(({ title }) => title === 'snow.md');
      if (method === 'submitStep' && ++handedIn === 2 && source !== undefined)
        await removeSource(index, source.id);
      return result;
    },
  };
  await run(index, { ...research, board }, model);
  const { text } = index.features.notes.open(research.now().report ?? '');
  assert.match(text, /Cited sources that are no longer in the notebook: snow\.md\./);
});

test('writes a report for a research project whose steps were all done in another one', async () => {
  const index = await openWithTexts(weatherTexts);
  const model = writer('');
  await run(index, addResearch(index, PLAN, { goal: 'Weather' }), model);
  const { length } = model.requests;
  const again = addResearch(index, PLAN, { goal: 'Weather again' });
  await run(index, again, model);
  assert.ok(again.now().steps.every(({ sameAs }) => sameAs !== undefined));
  assert.equal(model.requests.slice(length).filter(({ purpose }) => purpose === 'act').length, 0);
  assert.notEqual(again.now().report, undefined);
});
