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
  // What the terms of the project replaced, as far as the words have no other meaning in the user interface.
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
