// Tests which included skill is found for a goal in natural words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSkills } from '../../src/features/research/service/skills/skill-library.ts';
import { shippedSkills } from './skills-fixtures.ts';

const library = { skills: [], composed: shippedSkills() };

/** Goals in natural words, each with its skill. */
const goals: readonly (readonly [string, string])[] = [
  [
    'Compare how Voyager, JARVIS-1 and ODYSSEY keep what they learnt, as a table with the figures',
    'compare-sources-in-a-table',
  ],
  ['How do the three vector databases differ in speed, price and licence?', 'compare-sources-in-a-table'],
  ['Put the two pension plans side by side', 'compare-sources-in-a-table'],
  ['Write an onboarding guide to the auth code of this repository', 'onboarding-guide'],
  ['A new colleague starts on Monday: what does she have to read first?', 'onboarding-guide'],
  ['Getting started with this project for newcomers', 'onboarding-guide'],
  ['Make a glossary of all abbreviations in the tender documents', 'glossary'],
  ['Which terms does the contract define, and how?', 'glossary'],
  ['List the definitions of the technical terms in these standards', 'glossary'],
  ['Give me an overview of the literature on sleep and memory', 'literature-overview'],
  ['What do these 25 papers study, by which methods, and with which results?', 'literature-overview'],
  ['State of research on graphene batteries: methods, findings, disagreements', 'literature-overview'],
  ['Which of these 40 reports says what about flood risk?', 'which-sources-say'],
  ['Which sources mention the merger and which say nothing on it?', 'which-sources-say'],
  ['Find all documents that say something about remote work', 'which-sources-say'],
  ['Make a timeline of the Apollo programme', 'timeline'],
  ['What happened when in the outage of March 3?', 'timeline'],
  ['Chronology of the negotiations with dates', 'timeline'],
  ['Pros and cons of moving to Kubernetes', 'pros-and-cons'],
  ['Should we buy or rent? Weigh the arguments', 'pros-and-cons'],
  ['What are the advantages and drawbacks of heat pumps?', 'pros-and-cons'],
  ['Where do the witnesses contradict each other?', 'find-contradictions'],
  ['Do any of these reports disagree on the number of victims?', 'find-contradictions'],
  ['Check the two specifications for contradictions', 'find-contradictions'],
  ['Explain how the scheduler module works', 'explain-code-area'],
  ['How does the login feature work in the code, from the entry point on?', 'explain-code-area'],
  ['Walk me through the functions of the parser', 'explain-code-area'],
  ['Summarize each of these papers in a few sentences', 'summarize-each-source'],
  ['A short summary of every document, one by one', 'summarize-each-source'],
  ['Collect all figures on emissions with their totals in one table', 'figures-table'],
  ['What growth of sales follows from the numbers in the annual reports?', 'figures-table'],
  ['Statistics about unemployment from these texts and tables', 'figures-table'],
  ['What questions does the literature leave open?', 'open-questions'],
  ['What is still unknown about the disease, and what should be found out next?', 'open-questions'],
  ['Reproduce the result of table 2 of the ResNet paper', 'reproduce-a-result'],
  ['Can the experiment be repeated with our data? Write a protocol', 'reproduce-a-result'],
  ['Review the changes on this branch', 'review-changes'],
  ['What does this pull request break?', 'review-changes'],
  ['Answer thoroughly: why did the bridge collapse?', 'answer-a-question-thoroughly'],
  [
    'How sure can we be that coffee lowers blood pressure? Check the evidence for and against',
    'answer-a-question-thoroughly',
  ],
];

test('finds the skill for a goal among the best five, and usually first', (context) => {
  const ranks = goals.map(([goal, meant]) =>
    findSkills(goal, library).findIndex(({ name }) => name === meant),
  );
  const first = ranks.filter((rank) => rank === 0).length;
  const five = ranks.filter((rank) => rank >= 0).length;
  const missed = goals.flatMap(([goal], i) => (ranks[i] === 0 ? [] : [`${goal} (${String(ranks[i])})`]));
  context.diagnostic(
    `first ${String(first)}, among five ${String(five)} of ${String(goals.length)}; not first: ${missed.join('; ')}`,
  );
  assert.equal(goals.length, 40);
  assert.equal(new Set(goals.map(([, meant]) => meant)).size, library.composed.length);
  assert.ok(five >= 37 && first >= 32, `${String(first)} first, ${String(five)} among five`);
});

test('finds nothing for words that no description contains, and otherwise at most the maximum', () => {
  assert.deepEqual(findSkills('xyzzy', library), []);
  assert.equal(findSkills('a table of papers and figures with summaries for a guide', library, 2).length, 2);
});
