import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isLeftOut,
  walkFolder,
  type EntryKind,
  type FileSystem,
  type WalkOptions,
} from '../../src/parsers/folder-walker.ts';
import { isInExcludedFolder } from '../../src/core/domain/excluded-folders.ts';

/** Creates files by path. A path that ends in `@` is a link, and one that ends in `|` a pipe. */
function makeFileSystem(files: Readonly<Record<string, string>>): FileSystem {
  return {
    readDirectory: (directory) => {
      const prefix = directory === '' ? '' : `${directory}/`;
      const entries = new Map<string, EntryKind>();
      for (const path of Object.keys(files)) {
        if (!path.startsWith(prefix)) continue;
        const [name = '', ...rest] = path.slice(prefix.length).split('/');
        if (rest.length > 0) entries.set(name, 'directory');
        else if (name.endsWith('@')) entries.set(name.slice(0, -1), 'link');
        else if (name.endsWith('|')) entries.set(name.slice(0, -1), 'other');
        else entries.set(name, 'file');
      }
      return entries.size > 0
        ? Promise.resolve([...entries])
        : Promise.reject(new Error(`no directory ${directory}`));
    },
    readText: (path) => Promise.resolve(files[path] ?? ''),
  };
}

async function walked(files: Readonly<Record<string, string>>, options: WalkOptions = {}): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of walkFolder(makeFileSystem(files), options)) paths.push(path);
  return paths;
}

const blank = (...paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, '']));

describe('walking a folder', () => {
  test('lists files by name, without links and unwanted files', async () => {
    const files = blank(
      'b.ts',
      'a/z.ts',
      'a/b/c.ts',
      'link@',
      'pipe|',
      '.git/config',
      'deep/.GIT/config',
      'node_modules/x/index.js',
      'a/node_modules/y.js',
      '.env',
    );
    assert.deepEqual(await walked(files), ['.env', 'a/b/c.ts', 'a/z.ts', 'b.ts']);
  });

  test('applies .gitignore files with anchored, negated, and directory patterns', async () => {
    const files = {
      '.gitignore': '*.log\n!keep.log\n/dist\nbuild/\n# comment\ndocs/*.tmp\n',
      ...blank(
        'a.log',
        'keep.log',
        'sub/b.log',
        'dist/x.js',
        'sub/dist/x.js',
        'sub/build/y.js',
        'build',
        'docs/a.tmp',
        'docs/deep/a.tmp',
      ),
    };
    assert.deepEqual(await walked(files), ['build', 'docs/deep/a.tmp', 'keep.log', 'sub/dist/x.js']);
  });

  test('lets nested .gitignore files extend and override outer ones', async () => {
    const files = {
      '.gitignore': '*.gen.ts\nsecret/\n',
      'pkg/.gitignore': '!wanted.gen.ts\n/local\n',
      'secret/.gitignore': '!*\n',
      ...blank(
        'a.gen.ts',
        'pkg/a.gen.ts',
        'pkg/wanted.gen.ts',
        'pkg/local/x',
        'pkg/deep/local/x',
        'other/local/x',
        'secret/x',
      ),
    };
    assert.deepEqual(await walked(files), ['other/local/x', 'pkg/deep/local/x', 'pkg/wanted.gen.ts']);
  });

  test('applies the .gitignore files above the folder, unless they ignore the folder itself', async () => {
    const files = blank('x.ts', 'out/y.ts', 'gen/z.ts');
    const parentIgnores = [
      { text: '/packages/core/gen\n', folder: 'packages/core' },
      { text: 'out/\n', folder: 'core' },
    ];
    assert.deepEqual(await walked(files, { parentIgnores }), ['x.ts']);
    assert.deepEqual(
      await walked(files, { parentIgnores: [{ text: 'packages/', folder: 'packages/core' }] }),
      ['gen/z.ts', 'out/y.ts', 'x.ts'],
    );
  });

  test('excludes files that the editor hides', async () => {
    const files = blank(
      'a.ts',
      'a.js',
      'b.js',
      'deep/c.ts',
      'deep/c.js',
      'bower/x.js',
      'deep/.cache/y',
      'shown/z.ts',
    );
    const excludes = [
      { '**/*.js': { when: '$(basename).ts' }, '**/.cache': true },
      { bower: true, shown: false },
    ];
    assert.deepEqual(await walked(files, { excludes }), ['a.ts', 'b.js', 'deep/c.ts', 'shown/z.ts']);
  });

  test('skips unreadable directories, but not the folder itself', async () => {
    const whole = makeFileSystem(blank('a/x.ts', 'b/y.ts'));
    const broken: FileSystem = {
      ...whole,
      readDirectory: (path) =>
        path === 'a' ? Promise.reject(new Error('forbidden')) : whole.readDirectory(path),
    };
    const paths: string[] = [];
    for await (const path of walkFolder(broken)) paths.push(path);
    assert.deepEqual(paths, ['b/y.ts']);
    await assert.rejects(walked({}), /no directory/);
  });

  test('stops when it is canceled', async () => {
    const stop = new AbortController();
    const paths: string[] = [];
    await assert.rejects(
      async () => {
        for await (const path of walkFolder(makeFileSystem(blank('a', 'b', 'c')), { signal: stop.signal })) {
          paths.push(path);
          stop.abort();
        }
      },
      { code: 'cancelled' },
    );
    assert.deepEqual(paths, ['a']);
  });

  test('excludes generated files, unless a .notebookignore file includes them again', async () => {
    const files = blank(
      '.dockerignore',
      '.gitattributes',
      '.gitignore',
      'a.ts',
      'a.js.map',
      'Cargo.lock',
      'go.sum',
      'jquery.min.js',
      'package-lock.json',
      'web/yarn.lock',
    );
    assert.deepEqual(await walked(files), ['a.ts']);
    assert.deepEqual(await walked({ ...files, 'web/.notebookignore': '!yarn.lock\n' }), [
      'a.ts',
      'web/yarn.lock',
    ]);
    assert.ok((await walked(files, { keepsMachineFiles: true })).includes('package-lock.json'));
  });

  test('applies .ignore before .gitignore, and .notebookignore before both', async () => {
    const files = {
      '.gitignore': '*.log\n*.gen\n',
      '.ignore': '!*.log\nold.md\nnotes.md\n',
      'deep/.notebookignore': '!notes.md\nfixtures/\n',
      ...blank('a.log', 'b.gen', 'old.md', 'notes.md', 'deep/notes.md', 'deep/fixtures/x.md', 'deep/old.md'),
    };
    assert.deepEqual(await walked(files), ['a.log', 'deep/notes.md']);
    const parentIgnores = [{ file: '.notebookignore' as const, text: '/docs/drafts\n', folder: 'docs' }];
    assert.deepEqual(await walked(blank('drafts/x', 'y'), { parentIgnores }), ['y']);
    assert.deepEqual(await walked(blank('x.o', 'y'), { parentIgnores: [{ text: '*.o', folder: '' }] }), [
      'y',
    ]);
  });

  test('follows links out of the folder once and never in a circle', async () => {
    const base = makeFileSystem(
      blank('self@', 'up@', 'inside@', 'other@', 'another@', 'deeper@', 'file@', 'broken@', 'git@', 'src/a'),
    );
    const targets: Record<string, { path: string; kind: 'file' | 'directory' }> = {
      '': { path: '/w/app', kind: 'directory' },
      self: { path: '/w/app', kind: 'directory' },
      up: { path: '/w', kind: 'directory' },
      inside: { path: '/w/app/src', kind: 'directory' },
      other: { path: '/w/other', kind: 'directory' },
      'other/again': { path: '/w/other', kind: 'directory' },
      another: { path: '/w/other', kind: 'directory' },
      deeper: { path: '/w/other/docs', kind: 'directory' },
      file: { path: '/w/readme.md', kind: 'file' },
      git: { path: '/w/.git/hooks', kind: 'directory' },
    };
    const fileSystem: FileSystem = {
      ...base,
      readDirectory: (path) =>
        path === 'another'
          ? Promise.resolve([
              ['again', 'link'],
              ['b.md', 'file'],
            ])
          : base.readDirectory(path),
      target: (path) => Promise.resolve(targets[path]),
    };
    const paths: string[] = [];
    for await (const path of walkFolder(fileSystem)) paths.push(path);
    assert.deepEqual(paths, ['another/b.md', 'file', 'src/a']);
  });

  test('excludes files that another source reads, also behind links', async () => {
    const base = makeFileSystem(blank('a.ts', 'b.ts', 'lib/c.ts', 'lib/d.ts', 'link@', 'other@', 'docs@'));
    const targets: Record<string, { path: string; kind: 'file' | 'directory' }> = {
      '': { path: '/w/app', kind: 'directory' },
      link: { path: '/w/x.ts', kind: 'file' },
      other: { path: '/w/other/y.ts', kind: 'file' },
      docs: { path: '/w/docs', kind: 'directory' },
    };
    const fileSystem: FileSystem = {
      ...base,
      readDirectory: (path) =>
        path === 'docs'
          ? Promise.resolve([
              ['e.md', 'file'],
              ['f.md', 'file'],
            ])
          : base.readDirectory(path),
      target: (path) => Promise.resolve(targets[path]),
    };
    const elsewhere = new Set(['/w/app/b.ts', '/w/app/lib/c.ts', '/w/x.ts', '/w/other', '/w/docs/e.md']);
    const paths: string[] = [];
    for await (const path of walkFolder(fileSystem, { elsewhere })) paths.push(path);
    assert.deepEqual(paths, ['a.ts', 'docs/f.md', 'lib/d.ts']);
  });

  test('reports whether one path is excluded', async () => {
    const files = makeFileSystem({
      '.gitignore': '.env\nout/\n*.gen.ts\n',
      'pkg/.gitignore': '!kept.gen.ts\n',
      'pkg/.notebookignore': 'drafts/\n',
    });
    const above = [{ text: 'app/private/\n', folder: 'app' }];
    const isOut = (path: string, isDirectory = false): Promise<boolean> =>
      isLeftOut({ readText: (one) => read(files, one) }, path, isDirectory, above);
    const read = async (fileSystem: FileSystem, path: string): Promise<string> => {
      const text = await fileSystem.readText(path);
      return text === '' ? Promise.reject(new Error('not there')) : text;
    };
    for (const path of [
      '.env',
      'pkg/.env',
      'out/x',
      'a.gen.ts',
      'pkg/a.gen.ts',
      'private/x',
      'pkg/drafts/a/b',
    ])
      assert.ok(await isOut(path), path);
    for (const path of ['.git/config', 'pkg/.Git/hooks/x', 'node_modules/a.js'])
      assert.ok(await isOut(path), path);
    for (const path of ['a.env.md', 'out', 'pkg/kept.gen.ts', 'drafts/a', 'package-lock.json'])
      assert.ok(!(await isOut(path)), path);
    assert.ok(await isOut('out', true));
    assert.ok(await isOut('pkg/drafts', true));
  });

  test('walks selected paths and everything below them with the rules of the whole folder', async () => {
    const files = {
      '.gitignore': 'out/\n',
      'pkg/.gitignore': '*.log\n',
      ...blank(
        'a.ts',
        'b.ts',
        'out/x.js',
        'pkg/a.log',
        'pkg/a.ts',
        'pkg/deep/b.ts',
        'pkg/deep/c.ts',
        'z/y.ts',
      ),
    };
    const read: string[] = [];
    const base = makeFileSystem(files);
    const fileSystem: FileSystem = {
      ...base,
      readDirectory: (path) => {
        read.push(path);
        return base.readDirectory(path);
      },
    };
    const paths: string[] = [];
    const only = ['a.ts', 'out/x.js', 'pkg/a.log', 'pkg/deep', 'gone/x'];
    for await (const path of walkFolder(fileSystem, { only })) paths.push(path);
    assert.deepEqual(paths, ['a.ts', 'pkg/deep/b.ts', 'pkg/deep/c.ts']);
    assert.deepEqual(read, ['', 'pkg', 'pkg/deep']);
  });

  test('recognizes files that are never read', () => {
    assert.ok(isInExcludedFolder('.git/index'));
    assert.ok(isInExcludedFolder('a/node_modules/b'));
    assert.ok(isInExcludedFolder('a/.notebook/notebook.json'));
    assert.ok(!isInExcludedFolder('a/.github/b'));
    assert.ok(!isInExcludedFolder('.notebookignore'));
  });
});
