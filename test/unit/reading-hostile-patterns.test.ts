// Tests patterns that a repository's settings or ignore files, a shared site, or a robots.txt may contain.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readExcludes } from '../../src/parsers/exclude-globs.ts';
import { IgnoreRules } from '../../src/parsers/ignore-rules.ts';
import { crawlPlan } from '../../src/parsers/sites/preview.ts';
import { addressMatcher } from '../../src/parsers/sites/scope.ts';
import { parseRobots } from '../../src/parsers/sites/robots.ts';
import { rulesFor } from '../support/site-crawl.ts';
import { slowness } from '../support/slowness.ts';
import { rounds } from '../support/test-size.mjs';

/** Maximum processor time of one operation, in milliseconds; it used to take seconds to minutes. */
const limitMs = 1_000 * slowness();

/** Returns the processor time of this process so far, in milliseconds, unaffected by other programs. */
function taken(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns a share of a count in `npm test`, and all of it in `npm run test:all`. */
function many(count: number): number {
  return rounds(count / 4, count);
}

async function quick(what: string, run: () => unknown): Promise<void> {
  const started = taken();
  await run();
  const took = taken() - started;
  assert.ok(took < limitMs, `${what}: ${took.toFixed(0)} ms`);
}

/** Runs work, and asserts that others can run meanwhile. */
async function smooth<T>(run: () => Promise<T>): Promise<T> {
  let last = taken();
  let longest = 0;
  const watch = (): void => {
    longest = Math.max(longest, taken() - last);
    last = taken();
  };
  const watching = setInterval(watch, 1);
  const result = await run();
  watch();
  clearInterval(watching);
  assert.ok(longest < limitMs, `${longest.toFixed(0)} ms at once`);
  return result;
}

const name = 'a'.repeat(240);
const deep = Array.from({ length: 1_000 }, () => 'a').join('/');
const globs = [
  '*a*a*a*a*b',
  `${'*a'.repeat(200)}b`,
  `${'?*'.repeat(100)}b`,
  `${'[a-z]*'.repeat(60)}b`,
  `${'**/a/'.repeat(20)}b`,
  `${'**/*a*a/'.repeat(20)}b`,
  `${'{a,b}'.repeat(60)}c`,
  `${'{'.repeat(400)}a`,
  `{${'a,'.repeat(400)}a}`,
  `${'+(a|'.repeat(60)}a${')'.repeat(60)}b`,
  '('.repeat(400),
  '['.repeat(400),
  '\\'.repeat(401),
  '*'.repeat(100_000),
  'a{1..100000000}b',
];

describe('a hostile pattern is matched quickly', () => {
  for (const glob of globs)
    test(glob.slice(0, 20), async () => {
      for (const path of [name, `${name}/${name}`, deep, `${deep}/${name}`])
        await quick('hidden', () => readExcludes({ [glob]: true }, '')[0]?.(path, new Set()));
      const url = new URL(`https://example.org/${name.repeat(4)}`);
      await quick('site', () => addressMatcher([glob])(url));
      await quick('site', () => addressMatcher([glob])(new URL(`https://example.org/${deep}`)));
      await quick('ignored', () =>
        IgnoreRules.from([], true)
          .with('', [{ file: '.gitignore', text: glob }])
          .ignores(`${deep}/${name}`),
      );
    });

  test('many hostile patterns are matched quickly', async () => {
    const patterns = Array.from({ length: many(10_000) }, (_, i) => `*${'a'.repeat(100)}*${String(i)}`);
    await quick('hidden', () => {
      const excludes = readExcludes(Object.fromEntries(patterns.map((glob) => [glob, true])), '');
      for (const exclude of excludes) exclude(name, new Set());
    });
    await quick('site', () => addressMatcher(patterns)(new URL(`https://example.org/${name}`)));
    await quick('ignored', () =>
      IgnoreRules.from([], true)
        .with('', [{ file: '.gitignore', text: patterns.join('\n') }])
        .ignores(name),
    );
  });
});

describe('a hostile robots.txt is read quickly', () => {
  const url = new URL(`https://example.org/${'a'.repeat(1_900)}`);
  const hostile = {
    'spaces after a name': `A:${' '.repeat(many(500_000))}x`,
    'spaces before a name': `${' '.repeat(many(500_000))}A`,
    'spaces before a comment': `A:${' x'.repeat(many(250_000))}`,
    names: 'A-'.repeat(many(250_000)),
    'wildcards in one rule': `User-agent: *\nDisallow: /${'*a'.repeat(many(240_000))}b$`,
    'long pieces': `User-agent: *\nDisallow: /${`*${'a'.repeat(900)}b`.repeat(500)}`,
    'rules with wildcards': `User-agent: *\n${'Disallow: /*a*a*a*b\n'.repeat(many(24_444))}`,
    'different rules with wildcards': `User-agent: *\n${Array.from({ length: many(20_000) }, (_, i) => `Disallow: /*a*a*${String(i)}`).join('\n')}`,
    'rules with long pieces': `User-agent: *\n${Array.from({ length: 540 }, (_, i) => `Disallow: /*${i % 2 ? 'b' : ''}${'a'.repeat(900 - i)}${i % 2 ? '' : 'b'}`).join('\n')}`,
    'other spaces': `A:${'\u2003'.repeat(many(250_000))}\u2028x`,
    'comments without spaces': `A:${'x#'.repeat(many(250_000))}`,
    groups: 'User-agent: *\nDisallow: /x\n'.repeat(many(17_000)),
    agents: 'User-agent: OpenNotebook\n'.repeat(many(20_000)),
    sitemaps: 'Sitemap: /a\n'.repeat(many(40_000)),
    escapes: `User-agent: *\nDisallow: /${'%'.repeat(many(490_000))}`,
  };
  for (const [what, text] of Object.entries(hostile))
    test(what, async () => {
      const robots = await parseRobots(text, 'OpenNotebook');
      await quick('asking', () => robots.allows(url));
      await smooth(() => parseRobots(text, 'OpenNotebook'));
    });
});

test('previews many links without blocking, whatever the patterns and robots.txt', async () => {
  const origin = 'https://example.org';
  const long = 'a'.repeat(900);
  const links = Array.from({ length: 500 }, (_, i) => `${origin}/${long}${String(i)}`);
  const rules = Array.from({ length: 24_444 }, () => 'Disallow: /*a*a*b').join('\n');
  const survey = {
    starts: [{ address: `${origin}/`, links: { links, frames: [] }, problem: undefined }],
    named: { llms: links, sitemap: links },
    robots: new Map([[origin, await parseRobots(`User-agent: *\n${rules}`, 'OpenNotebook')]]),
  };
  const exclude = Array.from({ length: 100 }, () => `${'*aaaa'.repeat(8)}b`);
  const plan = await smooth(() => crawlPlan(survey, rulesFor(`${origin}/`, { exclude })));
  assert.equal(plan.pages.length + plan.leftOut.length, 501);
});
