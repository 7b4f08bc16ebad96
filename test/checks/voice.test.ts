import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readList } from '../support/l10n.mjs';
import { root } from '../support/paths.mjs';

/** Words that no text of the user interface contains, each group with what to write instead. */
const BANNED: Readonly<Record<string, RegExp>> = {
  'a verb or a plain noun, not a clause': /^(?:what|whether|where|of|by|so many|that)\b(?!.*\?)/i,
  'again, or re-': /\banew\b/i,
  'a concrete verb such as show, is, appears, support, resume':
    /\b(?:told|tells?|stands?|stood|go(?:es)? with|go(?:es)? on|bears? out|rests? on)\b/i,
  'no longer': /\b(?:not any more|no more(?! \w))\b/i,
  'can’t, doesn’t': /\b(?:cannot|may nothing|is none)\b/i,
  'select, or select the checkbox': /\btick|(?<!right-)\bclick/i,
  'US spelling':
    /\b(?:\w*ognis\w*|\w*colour\w*|licences?|\w*behaviour\w*|\w*favour\w*|catalogues?|\w*(?:organ|summar|normal|synchron|optim|minim|maxim|custom)is(?:e|ed|es|ing)|analyse\w*|\w*centre\w*|cancell(?:ed|ing)|labell\w+|modell\w+|dialogues?|grey|judgement|artefacts?|honour\w*|neighbour\w*|learnt)\b/i,
  // Words that the terms of the project replaced, unless they have another meaning in the user interface.
  'source, document, read, refresh':
    /\b(?:what you work with|thing read|takes? in|read anew|(?:bring|brings|brought)|fetch\w*)\b/i,
  'skipped, excluded': /\b(?:pass(?:ed|es)? over|left out|rules?)\b/i,
  'included, selected, search scope':
    /\b(?:what is asked|what questions|asked of|what to ask|asked things?|chosen)\b/i,
  'extracted content, consent': /\b(?:was taken|made of|agreed|orders)\b/i,
  'passage, excerpt, location': /\b(?:pieces?|units?|best places?|found places?|quotes? only|cut)\b/i,
  'keyword search, semantic search, similarity':
    /\b(?:by words alone|(?:find|finds|finding) by meaning|other words|static model|near(?:ness|er|est)|how near)\b/i,
  'retrieved passages, retrieval report, similar passages':
    /\b(?:materials|what was read|read report|more like this|much the same)\b/i,
  'cited text, statement, verdict, evidence':
    /\b(?:very words|cited words|claims?|says the opposite|none that is|found parts|what decided)\b/i,
  'context window, endpoint': /\b(?:(?:take|takes) at once|room|speaks?)\b/i,
  'artifact, generate': /\b(?:things?|made|have it written|matrix|matrices|what it makes|gathered)\b/i,
  'update from sources, out of date': /\b(?:up to date with|made difference|the sources have changed)\b/i,
  'fill, pending': /\b(?:cells that wait|waits? to be sent)\b/i,
  'audio overview, Study, review history': /\b(?:make audio|two voices|learn(?! more)|learning)\b/i,
  'research project, budget': /\b(?:(?:a|the|this) research(?! (?:project|memor))|researches|bounds?)\b/i,
  'input, result': /\b(?:products?|lay out)\b/i,
  'assign to me, unassign, submit, rerun':
    /\b(?:takes? (?:a|the|this) step|giv(?:e|es|en) back|given|hand(?:s|ed)? in|done again)\b/i,
  'issue, comment, activity log': /\b(?:objections?|remarks?|has against|heard|records)\b/i,
  coverage: /\bnobody looked\b/i,
  'team notebook, conflict': /\b(?:team’s notebooks?|notebooks? of a team|followers?|two versions|torn)\b/i,
  'quarantine, repair': /\b(?:set aside|mend\w*|salvag\w*)\b/i,
  'reference, metadata, arXiv ID': /\b(?:a work|said of|bibliography of|arXiv number)\b/i,
  timeout: /\bpatience\b/i,
};

/** Riddling words and clauses that no comment and no title of a test contains, each group with what to write instead. */
const BANNED_IN_CODE: Readonly<Record<string, RegExp>> = {
  'a verb, or a plain noun, first': /^(?:What|Whether|How|Of|By|So (?:many|much|long))\b(?!.*\?)/,
  'again, no longer': /\b(?:anew|any more)\b(?! \w)/,
  'a limit with its unit': /\b[Ss]o (?:many|much)\b/,
  'a concrete verb':
    /\b(?:stands? (?:there|in|at|beside|alone)|stood|bears? out|goes (?:by|with|on)|gone through|(?:is|are) told|tells of|taken for|made of)\b/,
  'the person or the program': /\b(?:whoever|said of|what is asked|none that is)\b/,
  'US spelling':
    /\b(?:organis\w+|behaviour\w*|neighbour\w*|centre\w*|labelled|misspelt|learnt|judgements?|artefacts?|grey)\b/,
};

describe('Text of the user interface', () => {
  const templates = globSync(join(root, 'media', 'templates', '*.md')).flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/^ {2}en: (.+)$/gm), ([, text = '']) => text),
  );
  const texts = [
    ...Object.keys(readList('bundle.l10n.json')),
    ...Object.values(readList('package.nls.json')),
    ...templates,
  ];

  for (const [instead, banned] of Object.entries(BANNED))
    test(`says: ${instead}`, () => {
      assert.deepEqual(
        texts.filter((text) => banned.test(text)),
        [],
      );
    });
});

describe('Comments and titles of tests', () => {
  const files = globSync(['{src,webview}/**/*.{css,sql,ts,tsx}', 'test/**/*.{ts,mjs}'], {
    cwd: root,
    exclude: (path) => path.endsWith('fixtures'),
  });
  const texts = files.flatMap((file) => listTexts(readFileSync(join(root, file), 'utf8'), file));

  for (const [instead, banned] of Object.entries(BANNED_IN_CODE))
    test(`say: ${instead}`, () => {
      assert.deepEqual(
        texts.filter(({ text }) => banned.test(text)).map(({ place, text }) => `${place}: ${text}`),
        [],
      );
    });
});

/** Returns the comments and the titles of tests in a file. Lines after the first have a leading space. */
function listTexts(code: string, file: string): { readonly place: string; readonly text: string }[] {
  let before = '';
  return code.split('\n').flatMap((line, index) => {
    const [, mark, comment] = /^\s*(\/\*\*?|\*|\/\/|--) (.*)$/.exec(line) ?? [];
    const [, title] = /\b(?:test|it|describe)\(\s*['`]([^'`]+)/.exec(line) ?? [];
    const isFirst = mark?.startsWith('/*') === true || !/^(?:\*|\/\/|--) /.test(before);
    before = line.trim();
    const text = comment === undefined ? title : isFirst ? comment : ` ${comment}`;
    return text === undefined ? [] : [{ place: `${file}:${String(index + 1)}`, text }];
  });
}
