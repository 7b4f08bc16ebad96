import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryRequestIn } from '../../src/core/language/summary-requests.ts';
import { makeNotebook } from './answering-fixtures.ts';
import { ask, scripted } from './answering-asking.ts';

test('recognizes requests for a summary of everything in many words', () => {
  for (const question of [
    'Summarize this',
    'summarise the PDF',
    'What is this about?',
    "what's this all about",
    'Give me a quick overview of the notebook, please',
    'What are the main points?',
    'TL;DR',
    'Can you please summarize this document in three sentences?',
    'What does this document say?',
    'What is in here?',
    'Explain this document',
  ])
    assert.deepEqual(summaryRequestIn(question), { subject: '' }, question);
});

test('recognizes the subject of a summary', () => {
  const subject = (question: string): string | undefined => summaryRequestIn(question)?.subject;
  assert.equal(subject('What are the main points of harbour.txt?'), 'harbour.txt');
  assert.equal(subject('What is the scheduler about?'), 'scheduler');
  assert.equal(subject('Summarize what it says about backups'), 'backups');
  assert.equal(
    subject('Summarize the priorities of the scheduler in two sentences.'),
    'priorities of the scheduler',
  );
});

test('recognizes text that only mentions summaries', () => {
  for (const question of [
    'What is an overview ruler?',
    'How do I summarize a file?',
    'What does the README say about settings?',
    'What are the key differences?',
    'Explain the scheduler',
  ])
    assert.equal(summaryRequestIn(question), undefined, question);
});

test('distinguishes “summarize that” in a conversation from “summarize this document”', () => {
  assert.equal(summaryRequestIn('Summarize that', true), undefined);
  assert.deepEqual(summaryRequestIn('Summarize that'), { subject: '' });
  assert.deepEqual(summaryRequestIn('Summarize these files', true), { subject: '' });
});

test('quotes the beginning of every source as a summary without a model', async () => {
  const { answer } = await ask('Summarize this');
  assert.ok(answer?.kind === 'quotes');
  assert.equal(answer.text, 'Excerpts from the beginnings and the sections of 3 sources:');
  assert.deepEqual(
    answer.citations.map(({ quote }) => quote),
    [
      'Rain falls in spring. The record is 305 mm in one hour.',
      'Snow falls in winter. It melts above 0 degrees.',
      'Fog is a cloud that touches the ground.',
    ],
  );
  assert.equal(answer.read?.length, 3);
});

test('gives a model the question and passages of every source', async () => {
  const model = scripted('It is about weather: rain falls in spring [1].');
  const { answer } = await ask('Give me an overview', { model });
  assert.equal(model.requests.length, 1);
  const prompt = model.requests[0]?.at(-1)?.content ?? '';
  for (const text of ['Rain falls', 'Snow falls', 'Fog is a cloud', 'Give me an overview'])
    assert.ok(prompt.includes(text), text);
  assert.equal(answer?.citations.length, 1);
});

test('summarizes a source by its name, and searches for a subject', async () => {
  const named = await ask('What are the main points of snow.txt?');
  assert.deepEqual(
    named.answer?.citations.map(({ title }) => title),
    ['snow.txt'],
  );
  const searched = await ask('Summarize what it says about fog');
  assert.equal(searched.answer?.citations[0]?.title, 'fog.txt');
  assert.deepEqual(searched.answer.searches, ['fog']);
  assert.equal((await ask('Summarize what it says about pianos')).answer?.kind, 'nothing');
});

test('reports that there is nothing to summarize', async () => {
  const { answer } = await ask('Summarize this', {
    passages: {
      find: () => Promise.resolve([]),
      gather: () => Promise.resolve({ passages: [], isAll: true }),
      places: () => Promise.resolve([]),
      overview: () => Promise.resolve([]),
      at: () => Promise.resolve([]),
      cite: () => Promise.resolve([]),
    },
  });
  assert.equal(answer?.kind, 'nothing');
});

test('quotes the beginning of every section of one short document', async () => {
  const text =
    '# Outage\n\nSeverity: 2\n\n## Summary\n\nUploads failed for an hour.\n\n## Cause\n\n### Details\n\nA disk was full.\n';
  const passages = makeNotebook([{ id: 1, title: 'outage.md', text, format: 'markdown' }]);
  const { answer } = await ask('Summarize this', { passages });
  const allQuotes = answer?.citations.map(({ quote }) => quote).join('\n') ?? '';
  for (const words of ['Severity: 2', 'Uploads failed for an hour.', '### Details', 'A disk was full.'])
    assert.ok(allQuotes.includes(words), words);
});
