// Tests first questions of newcomers about the included guides, in their own words.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { paginate } from '../../src/answers/places/places.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import './reading-pdf-fixtures.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { root } from '../support/paths.mjs';

/** Questions, each with its guide and a pattern that only the right passage matches. */
const questions: readonly (readonly [question: string, guide: string, words: RegExp])[] = [
  ['can I use it without internet?', 'Writing.md', /works without the internet/],
  ['does my code leave my computer?', 'Writing.md', /stay on your computer/],
  ['how to delete a source', 'Adding.md', /deleted from the notebook only/],
  ['which file types can it read?', 'Adding.md', /PowerPoint/],
  ['how do I change the model?', 'Writing.md', /change the model at any time/],
  ['is it free?', 'Writing.md', /Open Notebook is free/],
  ['where is my data stored?', 'Writing.md', /stored on your computer/],
  ['can it read a whole website?', 'Adding.md', /accepts one or more URLs/],
  ['what happens when I edit a file?', 'Adding.md', /reads it again automatically/],
  [
    'how do I ask about just one file?',
    'Asking.md',
    /narrow a question to the open file|about that source alone/,
  ],
  ['what are the little numbers after the sentences?', 'Asking.md', /small number after a sentence/],
  ['how can I keep an answer for later?', 'Asking.md', /Save as Note/],
  [
    'do I need an API key?',
    'Writing.md',
    /an API key, or a server|asks for an API key when an endpoint needs one/,
  ],
  [
    'why is there a red line under a sentence?',
    'Asking.md',
    /a red line marks a sentence that they contradict/,
  ],
  ['can I have more than one notebook?', 'Adding.md', /Every workspace has its own notebook/],
];

test('finds the right excerpt among the first two for 13 of 15 questions of newcomers', async () => {
  const index = await open(makeFolder(), undefined, { size: 1_500, overlap: 50 });
  const { id } = await index.addSource('Guides', origin, undefined);
  const folder = join(root, 'media', 'sample');
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    const fileInput = {
      bytes,
      byteLength: bytes.length,
      name,
      mediaType: undefined,
      pageUrl: undefined,
      minimumLength: 1,
    };
    await index.putDocument(id, { ...input('', name), document: await readDocument(fileInput, {}) });
  }
  const missed: string[] = [];
  for (const [question, guide, words] of questions) {
    const [page = []] = paginate(await index.passageSearch.places({ words: question }));
    const first = page.slice(0, 2).flat();
    if (!first.some(({ passage }) => passage.documentKey === guide && words.test(passage.text)))
      missed.push(
        `${question} → ${first.map(({ passage }) => `${passage.documentKey} › ${passage.headings.join(' › ')}`).join('; ')}`,
      );
  }
  assert.ok(missed.length <= questions.length - 13, missed.join('\n'));
});
