import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Language, Parser } from '@vscode/tree-sitter-wasm';

/** Grammar of each of the editor's languages, by file name. C is parsed as C++. */
const GRAMMAR_OF_LANGUAGE: ReadonlyMap<string, string> = new Map([
  ['c', 'cpp'],
  ['cpp', 'cpp'],
  ['csharp', 'c-sharp'],
  ['cuda-cpp', 'cpp'],
  ['go', 'go'],
  ['java', 'java'],
  ['javascript', 'javascript'],
  ['javascriptreact', 'javascript'],
  ['php', 'php'],
  ['python', 'python'],
  ['ruby', 'ruby'],
  ['rust', 'rust'],
  ['typescript', 'typescript'],
  ['typescriptreact', 'tsx'],
]);

interface Engine {
  readonly newParser: () => Parser;
  readonly load: (grammar: Uint8Array) => Promise<Language>;
}

let resources: string | undefined;
let engine: Promise<Engine> | undefined;
const languages = new Map<string, Promise<Language>>();

/** Sets the folder of tree-sitter and its grammars: `tree-sitter.wasm` and `tree-sitter-*.wasm` or `.wasm.br`. */
export function setGrammarResources(folder: string): void {
  resources = folder;
}

/**
 * Returns a parser for one of the editor's languages; undefined without a grammar for it. The caller must delete the
 * parser. Loads the grammar with the first file of its language.
 */
export async function loadParser(languageId: string): Promise<Parser | undefined> {
  const grammar = GRAMMAR_OF_LANGUAGE.get(languageId);
  if (grammar === undefined || resources === undefined) return undefined;
  const folder = resources;
  engine ??= loadEngine(folder);
  const { newParser, load } = await engine;
  let language = languages.get(grammar);
  if (language === undefined) {
    language = readGrammar(join(folder, `tree-sitter-${grammar}.wasm`)).then(load);
    languages.set(grammar, language);
  }
  return newParser().setLanguage(await language);
}

/** Discards the loaded grammars after a parser crashed, because its memory may be corrupt. */
export function forgetGrammars(): void {
  engine = undefined;
  languages.clear();
}

/**
 * Reads a grammar as in tree-sitter's package, or compressed as in ours. Decompresses synchronously: a reader that ends
 * while zlib works on another thread can crash the whole process.
 */
async function readGrammar(file: string): Promise<Uint8Array> {
  return existsSync(file) ? await readFile(file) : brotliDecompressSync(await readFile(`${file}.br`));
}

async function loadEngine(folder: string): Promise<Engine> {
  const { default: treeSitter } = await import('@vscode/tree-sitter-wasm');
  await treeSitter.Parser.init({ locateFile: (name) => join(folder, name) });
  return {
    newParser: () => new treeSitter.Parser(),
    load: (grammar) => treeSitter.Language.load(grammar),
  };
}
