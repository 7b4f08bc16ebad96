import type { ReadDocument } from '../core/domain/document.ts';

/** Editor's language identifiers by file extension, without the dot. */
const languageOfEnding: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bat: 'bat cmd',
    bibtex: 'bib',
    c: 'c',
    clojure: 'clj cljc cljs edn',
    coffeescript: 'coffee',
    cpp: 'cc cpp cxx c++ h hh hpp hxx ino',
    csharp: 'cs csx',
    css: 'css',
    'cuda-cpp': 'cu cuh',
    dart: 'dart',
    diff: 'diff patch',
    elixir: 'ex exs',
    elm: 'elm',
    erlang: 'erl hrl',
    fsharp: 'fs fsi fsx',
    'fortran-modern': 'f90 f95 f03',
    go: 'go',
    graphql: 'graphql gql',
    groovy: 'groovy gradle',
    haskell: 'hs',
    hlsl: 'hlsl',
    html: 'html htm xhtml',
    ini: 'ini cfg',
    java: 'java',
    javascript: 'js cjs mjs',
    javascriptreact: 'jsx',
    json: 'json ipynb webmanifest map',
    jsonc: 'jsonc code-workspace',
    jsonl: 'jsonl ndjson',
    julia: 'jl',
    kotlin: 'kt kts',
    latex: 'tex sty cls',
    less: 'less',
    lua: 'lua',
    makefile: 'mk',
    matlab: 'm',
    nim: 'nim',
    nix: 'nix',
    'objective-cpp': 'mm',
    ocaml: 'ml mli',
    pascal: 'pas',
    perl: 'pl pm',
    php: 'php',
    powershell: 'ps1 psm1 psd1',
    prisma: 'prisma',
    properties: 'properties env',
    proto3: 'proto',
    pug: 'pug jade',
    python: 'py pyi pyw',
    r: 'r',
    razor: 'cshtml razor',
    ruby: 'rb rake gemspec',
    rust: 'rs',
    sass: 'sass',
    scala: 'scala sc',
    scss: 'scss',
    shaderlab: 'shader glsl',
    shellscript: 'sh bash zsh fish',
    solidity: 'sol',
    sql: 'sql',
    svelte: 'svelte',
    swift: 'swift',
    terraform: 'tf tfvars hcl',
    toml: 'toml',
    typescript: 'ts cts mts',
    typescriptreact: 'tsx',
    vb: 'vb bas',
    vue: 'vue',
    wgsl: 'wgsl',
    xml: 'xml xsd xsl xslt svg plist csproj',
    yaml: 'yaml yml',
    zig: 'zig',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language] as const)),
);

/** Languages of files by their whole name. */
const LANGUAGE_OF_NAME: ReadonlyMap<string, string> = new Map([
  ['dockerfile', 'dockerfile'],
  ['containerfile', 'dockerfile'],
  ['makefile', 'makefile'],
  ['gnumakefile', 'makefile'],
  ['cmakelists.txt', 'cmake'],
  ['gemfile', 'ruby'],
  ['rakefile', 'ruby'],
  ['jenkinsfile', 'groovy'],
  ['build.bazel', 'starlark'],
  ['.gitignore', 'ignore'],
  ['.dockerignore', 'ignore'],
  ['.editorconfig', 'properties'],
  ['.bashrc', 'shellscript'],
  ['.profile', 'shellscript'],
  ['.zshrc', 'shellscript'],
]);

/** Returns the lowercase extension of a file name, without the dot; '' if it has none. */
export function nameEnding(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? '' : base.slice(dot + 1).toLowerCase();
}

/** Returns the editor's language identifier for a file name; undefined if it isn't known as code. */
export function languageByName(name: string): string | undefined {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase();
  return LANGUAGE_OF_NAME.get(base) ?? languageOfEnding.get(nameEnding(name));
}

/** Returns a source file as a document: its own text, in the language of its extension. */
export function readCode(text: string, languageId: string, mediaType: string): ReadDocument {
  return {
    mediaType,
    format: 'code',
    languageId,
    text,
    map: { kind: 'text', origin: { line: 0, character: 0 } },
    headings: [],
    warnings: [],
  };
}
