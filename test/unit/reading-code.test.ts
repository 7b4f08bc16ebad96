import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { splitDocument } from '../../src/index/documents/splitter.ts';
import type { Heading } from '../../src/core/domain/document.ts';
import { setGrammarResources } from '../../src/parsers/code/grammars.ts';
import { readOutline } from '../../src/parsers/code/outline.ts';
import { readDocument } from '../../src/parsers/registry.ts';

const grammars = fileURLToPath(new URL('.', import.meta.resolve('@vscode/tree-sitter-wasm')));

/** Returns headings as an indented list, each with the first words of its section. */
function written(text: string, headings: readonly Heading[]): string[] {
  return headings.map(
    ({ offset, level, title }) =>
      `${'  '.repeat(level - 1)}${title || '-'} | ${text.slice(offset).trimStart().split('\n')[0] ?? ''}`,
  );
}

const outlined = async (languageId: string, text: string): Promise<string[]> =>
  written(text, await readOutline(text, languageId));

describe('outline of code', () => {
  before(() => {
    setGrammarResources(grammars);
  });

  test('includes TypeScript classes, methods, functions in variables, and tests with their comments', async () => {
    const text = `import a from 'a';

/** A lamp. */
@lit export class Lamp {
  readonly #oil = 1;

  /** Lights it. */
  @once
  light(): void {
    const inner = () => 1;
  }
  get height() { return 1; } // in metres
  depth = 2;
}

// far away

// near
export const wick = (length: number): number => length * 2;
export default function () {}
namespace Harbour { export interface Boat { name: string } }
describe('a lamp', () => {
  it('shines', async () => { await 1; });
});
module.exports.trim = function () {};
start();
`;
    assert.deepEqual(await outlined('typescript', text), [
      'Lamp | /** A lamp. */',
      '  light | /** Lights it. */',
      '  height | get height() { return 1; } // in metres',
      '  - | depth = 2;',
      'wick | // near',
      'default | export default function () {}',
      'Harbour | namespace Harbour { export interface Boat { name: string } }',
      '  Boat | export interface Boat { name: string } }',
      "describe a lamp | describe('a lamp', () => {",
      "  it shines | it('shines', async () => { await 1; });",
      'module.exports.trim | module.exports.trim = function () {};',
      '- | start();',
    ]);
  });

  test('supports Python, Ruby, and PHP', async () => {
    const python = `import os

@frozen
class Lamp(Base):
    """Shines."""

    # the flame
    @property
    def flame(self):
        def inner(): pass
        return 1

def light(): pass

if __name__ == "__main__":
    light()
`;
    assert.deepEqual(await outlined('python', python), [
      'Lamp | @frozen',
      '  flame | # the flame',
      'light | def light(): pass',
      '- | if __name__ == "__main__":',
    ]);
    const ruby = `module Harbour\n  # A lamp.\n  class Lamp < Base\n    # Lights it.\n    def light; 1; end\n    def self.all; end\n  end\nend\n`;
    assert.deepEqual(await outlined('ruby', ruby), [
      'Harbour | module Harbour',
      '  Lamp | # A lamp.',
      '    light | # Lights it.',
      '    all | def self.all; end',
    ]);
    const php = `<?php\nnamespace A;\n/** A lamp. */\nclass Lamp {\n  #[Once]\n  public function light() {}\n}\nfunction trim_wick() {}\n`;
    assert.deepEqual(await outlined('php', php), [
      'A | namespace A;',
      'Lamp | /** A lamp. */',
      '  light | #[Once]',
      'trim_wick | function trim_wick() {}',
    ]);
  });

  test('supports Go, Rust, Java, C#, C++, and C', async () => {
    const go = `package a\n\n// Light lights.\nfunc (l *Lamp) Light() {}\nfunc Trim() {}\ntype Lamp struct { oil int }\nvar x = 1\n`;
    assert.deepEqual(await outlined('go', go), [
      'Lamp.Light | // Light lights.',
      'Trim | func Trim() {}',
      'Lamp | type Lamp struct { oil int }',
      '- | var x = 1',
    ]);
    const rust = `use a;\n/// A lamp.\n#[derive(Clone)]\nstruct Lamp { oil: i32 }\nimpl Light for Lamp { fn light(&self) {} }\nmod tests { #[test]\n fn shines() {} }\n`;
    assert.deepEqual(await outlined('rust', rust), [
      'Lamp | /// A lamp.',
      'Light for Lamp | impl Light for Lamp { fn light(&self) {} }',
      '  light | fn light(&self) {} }',
      'tests | mod tests { #[test]',
      '  shines | #[test]',
    ]);
    const java = `package a;\n/** A lamp. */\n@Lit class Lamp {\n  enum Oil { FISH; void burn() {} }\n  Lamp() {}\n  void light() {}\n}\n`;
    assert.deepEqual(await outlined('java', java), [
      'Lamp | /** A lamp. */',
      '  Oil | enum Oil { FISH; void burn() {} }',
      '    burn | void burn() {} }',
      '  Lamp | Lamp() {}',
      '  light | void light() {}',
    ]);
    const csharp = `namespace A;\n/// A lamp.\n[Lit]\npublic class Lamp {\n  int oil;\n  public Lamp() {}\n  public int Height { get; set; }\n  void Light() { }\n}\n`;
    assert.deepEqual(await outlined('csharp', csharp), [
      'Lamp | /// A lamp.',
      '  Lamp | public Lamp() {}',
      '  Height | public int Height { get; set; }',
      '  Light | void Light() { }',
    ]);
    const cpp = `#ifdef X\nnamespace a { template<class T> class Lamp : Base { public: Lamp(); int light(int x) { return 1; } }; }\n#endif\n// Trims.\nint *a::Lamp::trim(int y) { return 2; }\n`;
    assert.deepEqual(
      (await outlined('cpp', cpp)).map((line) => line.replace(/ \|.*/, '')),
      ['a', '  Lamp', '    light', 'a::Lamp::trim'],
    );
    const c = `typedef struct lamp { int oil; } lamp_t;\nstatic const int depth = 3;\n/* Lights. */\nint light(lamp_t *lamp) {\n  return 1;\n}\n`;
    assert.deepEqual(await outlined('c', c), [
      'lamp | typedef struct lamp { int oil; } lamp_t;',
      '- | static const int depth = 3;',
      'light | /* Lights. */',
    ]);
  });

  test('uses the readable parts of broken code', async () => {
    const text = `function whole() { return 1; }\nclass Lamp {\n  light() { if (\n  }\n  trim() { return 2; }\n}\nfunction after() {}\n)))\n`;
    const titles = (await readOutline(text, 'javascript')).map(({ title }) => title);
    for (const title of ['whole', 'trim', 'after']) assert.ok(titles.includes(title), title);
  });

  test('finds declarations of other languages by keywords and indentation', async () => {
    const kotlin = `package a\n\n/** A lamp. */\ndata class Lamp(val oil: Int) {\n    // Lights it.\n    override fun light(): Int {\n        fun inner() = 1\n        return inner()\n    }\n\n    val depth = 1\n}\n\nfun trim() = 2\n\nval top = 3\n`;
    assert.deepEqual(await outlined('kotlin', kotlin), [
      'Lamp | /** A lamp. */',
      '  light | // Lights it.',
      '  - | val depth = 1',
      'trim | fun trim() = 2',
      '- | val top = 3',
    ]);
    assert.deepEqual(await outlined('yaml', 'class Lamp: 1\ndef: 2\n'), []);
    const shell = `# Lights.\nlight() {\n  echo 1\n}\nfunction trim {\n  echo 2\n}\nlight\n`;
    assert.deepEqual(await outlined('shellscript', shell), [
      'light | # Lights.',
      'trim | function trim {',
      '- | light',
    ]);
  });

  test('keeps the time limit for a huge or hostile file', async (context) => {
    // Each call of the clock takes a millisecond, so the test counts the work between them.
    let now = 0;
    const clock = context.mock.method(performance, 'now', () => now++).mock;
    const looks = async (text: string, languageId: string): Promise<number> => {
      const before = clock.callCount();
      await readOutline(text, languageId, 300);
      return clock.callCount() - before;
    };
    const minified = `function a(){return[${'1,'.repeat(100)}1]};`.repeat(4_000);
    const deep = `${'x = ['.repeat(1)}${'[\n'.repeat(200_000)}`;
    const calls = `${'f(\n'.repeat(100_000)}${')\n'.repeat(100_000)}`;
    const blocks = 'class A { m() { if (1) {\n'.repeat(30_000);
    const many = 'function f() { return 1; }\n'.repeat(60_000);
    for (const text of [minified, deep, calls, blocks, many])
      for (const languageId of ['javascript', 'python', 'cpp', 'typescript', 'kotlin'])
        assert.ok((await looks(text, languageId)) < 310, `${languageId}: ${text.slice(0, 12)}`);
    clock.restore();
    // Later files are read as before.
    assert.deepEqual(await outlined('javascript', 'function ok() {}'), ['ok | function ok() {}']);
  });

  test('is returned with the document, and no passage splits a function that fits', async () => {
    const body = (lines: number): string => '    this.oil = burn(this.oil, 12);\n\n'.repeat(lines);
    const lengths = [3, 30, 8, 1, 39, 20, 2, 35, 5, 5, 5, 37, 90, 4];
    const methods = lengths.map(
      (lines, i) => `  /** Does number ${String(i)}. */\n  m${String(i)}() {\n${body(lines)}  }\n`,
    );
    for (const [name, text] of [
      ['lamp.ts', `class Lamp {\n${methods.join('\n')}}\n`],
      ['lamp.kt', `class Lamp {\n${methods.join('\n').replaceAll(/^ {2}(m\d+)/gm, '  fun $1')}}\n`],
      ['lamp.zzz.css', methods.map((method) => method.replaceAll(/^ {2}/gm, '')).join('\n')],
    ] as const) {
      const bytes = new TextEncoder().encode(text);
      const document = await readDocument({ bytes, name, minimumLength: 1 }, {});
      const passages = splitDocument(document, { size: 1500, overlap: 50 });
      for (const [i, lines] of lengths.entries()) {
        const start = text.indexOf(`/** Does number ${String(i)}.`);
        const next = text.indexOf('/** Does', start + 1);
        const end = text.lastIndexOf('}', next < 0 ? text.trimEnd().length - 2 : next) + 1;
        if (lines > 40) continue;
        const whole = passages.find((passage) => passage.start <= start && passage.end >= end);
        assert.ok(whole, `${name} ${String(i)}, ${String(end - start)} characters`);
        if (name === 'lamp.ts' && lines > 12)
          assert.deepEqual(whole.headings, ['Lamp', `m${String(i)}`].slice(0, whole.headings.length));
      }
      if (name === 'lamp.ts')
        assert.ok(passages.some(({ headings }) => headings.join(' › ') === 'Lamp › m12'));
    }
  });
});
