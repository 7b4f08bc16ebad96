// Finds calls in the shipped code that reach out of the process: to files, servers, programs, and the user.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Effect of a call. */
export type Deed = 'read' | 'request' | 'run' | 'show' | 'write';

/** Call with one of these effects. */
interface CallSite {
  /** Path relative to the root of the project, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly deed: Deed;
  /** Name of the function, such as `writeFile`, or of a module that is imported as a whole. */
  readonly name: string;
}

const READS = 'createReadStream open openAsBlob openSync readFile readFileSync'.split(' ');
const WRITES =
  `appendFile appendFileSync copyFile copyFileSync cp cpSync createWriteStream ftruncate ftruncateSync link
  linkSync symlink symlinkSync truncate truncateSync write writeFile writeFileSync writeSync writev writevSync`.split(
    /\s+/,
  );

/** Effects of the functions of each module. A single effect applies to all of them. */
const MODULES: Readonly<Record<string, Deed | readonly (readonly [Deed, readonly string[]])[]>> = {
  fs: [
    ['read', READS],
    ['write', WRITES],
  ],
  sqlite: 'write',
  http: 'request',
  https: 'request',
  http2: 'request',
  net: [['request', ['connect', 'createConnection', 'Socket']]],
  tls: [['request', ['connect', 'TLSSocket']]],
  dgram: 'request',
  undici: 'request',
  openai: [['request', ['default', 'OpenAI']]],
  pg: [['request', ['Client', 'Pool']]],
  ws: 'request',
  child_process: 'run',
  cluster: 'run',
  vm: 'run',
  worker_threads: [['run', ['Worker']]],
};

const GLOBALS: Readonly<Record<string, Deed>> = {
  fetch: 'request',
  EventSource: 'request',
  WebSocket: 'request',
  XMLHttpRequest: 'request',
  eval: 'run',
  Function: 'run',
  Worker: 'run',
};

/** Methods, by the source text of their receivers. */
const METHODS: readonly { readonly deed: Deed; readonly on: RegExp; readonly names: readonly string[] }[] = [
  { deed: 'read', on: /(?:^|\.)fs$/, names: ['readFile'] },
  { deed: 'write', on: /(?:^|\.)fs$/, names: ['copy', 'writeFile'] },
  { deed: 'write', on: /^(?!.*\bfs$)/, names: ['appendFile', 'createWriteStream', 'truncate', 'writev'] },
  { deed: 'request', on: /(?:^|\.)env$/, names: ['openExternal'] },
  { deed: 'request', on: /^(?:global|globalThis|self|window|navigator)$/, names: ['fetch', 'sendBeacon'] },
  { deed: 'request', on: /^pg$/, names: ['Client', 'Pool', 'native'] },
  {
    deed: 'show',
    on: /(?:^|\.)window$/,
    names: ['showErrorMessage', 'showInformationMessage', 'showWarningMessage', 'withProgress'],
  },
  { deed: 'run', on: /(?:^|\.)tasks$/, names: ['executeTask'] },
  { deed: 'run', on: /(?:^|\.)window$/, names: ['createTerminal'] },
  { deed: 'run', on: /(?:^|\.)debug$/, names: ['startDebugging'] },
  { deed: 'run', on: /(?:^|\.)lm$/, names: ['invokeTool'] },
];

/** Files without any of these words have no such calls, and aren't parsed. */
const MAY_REACH = new RegExp(
  [
    ...[String.raw`\b(?:${Object.keys(GLOBALS).join('|')})\(`, String.raw`\bfs\.`, 'globalThis'],
    String.raw`executeCommand\(\s*[a-z]`,
    // Matches another name for the editor's window.
    String.raw`vscode\.window(?!\.)|\}\s*=\s*vscode\b`,
    String.raw`['"](?:node:)?(?:${Object.keys(MODULES).join('|')})(?:/\w+)?['"]`,
    ...METHODS.flatMap(({ names }) => names.map((name) => String.raw`\.${name}\b`)),
  ].join('|'),
);

/**
 * Returns the places of some folders, in the order of their files and lines.
 * @param root the folder that the others are in
 */
export function findCallSites(root: string, folders: readonly string[]): readonly CallSite[] {
  const texts = new Map<string, string>();
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.tsx?$/.test(name) || name.endsWith('.d.ts')) continue;
      const path = join(root, folder, name);
      const text = readFileSync(path, 'utf8');
      if (MAY_REACH.test(text)) texts.set(relative(root, path).split(sep).join('/'), text);
    }
  return callSitesOf(texts);
}

/** Returns the calls in files, by their names and texts. */
export function callSitesOf(texts: ReadonlyMap<string, string>): readonly CallSite[] {
  const trees = new Map(
    [...texts].map(([name, text]) => [name, ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)]),
  );
  const program = ts.createProgram([...texts.keys()], SETTINGS, {
    ...{ getSourceFile: (name) => trees.get(name), fileExists: (name) => trees.has(name) },
    ...{ readFile: (name) => texts.get(name), writeFile: () => undefined },
    ...{ getCanonicalFileName: (name) => name, getCurrentDirectory: () => '', getNewLine: () => '\n' },
    ...{ getDefaultLibFileName: () => '', useCaseSensitiveFileNames: () => true },
  });
  const checker = program.getTypeChecker();
  return [...trees].flatMap(([file, tree]) => sitesIn(file, tree, checker));
}

const SETTINGS: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX },
  ...{ noLib: true, noResolve: true, types: [], noEmit: true },
};

function sitesIn(file: string, tree: ts.SourceFile, checker: ts.TypeChecker): CallSite[] {
  const sites: CallSite[] = [];
  /** Imported functions by their local names. */
  const imported = new Map<string, { readonly deed: Deed; readonly name: string }>();
  const add = (node: ts.Node, deed: Deed, name: string): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    sites.push({ file, line, deed, name });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      readImport(node);
      return;
    }
    const whole = wholeModule(node);
    if (whole !== undefined) {
      const deeds = MODULES[whole];
      if (deeds !== undefined) add(node, typeof deeds === 'string' ? deeds : 'write', whole);
    }
    if (ts.isIdentifier(node) && isUse(node)) readName(node);
    if (ts.isPropertyAccessExpression(node)) {
      const on = node.expression.getText(tree);
      const method = METHODS.find((one) => one.names.includes(node.name.text) && one.on.test(on));
      if (method !== undefined) add(node, method.deed, node.name.text);
      if (on === 'vscode' && node.name.text === 'window' && !isReceiver(node)) add(node, 'show', 'window');
    }
    if (ts.isVariableDeclaration(node) && takesWindow(node, tree)) add(node, 'show', 'window');
    if (ts.isCallExpression(node) && isUnknownCommand(node)) add(node, 'run', 'executeCommand');
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return sites;

  function readImport({ importClause: clause, moduleSpecifier }: ts.ImportDeclaration): void {
    const name = moduleName(moduleSpecifier);
    const deeds = name === undefined ? undefined : MODULES[name];
    if (deeds === undefined || clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return;
    const bindings = clause?.namedBindings;
    const named =
      bindings !== undefined && ts.isNamedImports(bindings)
        ? bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly)
        : [];
    const pairs = [
      ...(clause?.name === undefined ? [] : [['default', clause.name.text] as const]),
      ...(bindings !== undefined && ts.isNamespaceImport(bindings)
        ? [['*', bindings.name.text] as const]
        : []),
      ...named.map(({ name: local, propertyName }) => [(propertyName ?? local).text, local.text] as const),
    ];
    for (const [exported, local] of pairs) {
      // An import of a whole module may use everything in it.
      const isWhole = exported === '*' || (name === 'fs' && /^(?:default|promises)$/.test(exported));
      const deed =
        typeof deeds === 'string'
          ? deeds
          : isWhole
            ? 'write'
            : deeds.find(([, names]) => names.includes(exported))?.[0];
      if (deed !== undefined) imported.set(local, { deed, name: isWhole ? `${String(name)}.*` : exported });
    }
  }

  function readName(node: ts.Identifier): void {
    const global = GLOBALS[node.text];
    const importedName = imported.get(node.text);
    if (importedName !== undefined)
      add(node, opensToWrite(node) ? 'write' : importedName.deed, importedName.name);
    else if (global !== undefined && !isDeclared(node, checker)) add(node, global, node.text);
  }
}

function isDeclared(node: ts.Identifier, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  const symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  return symbol !== undefined;
}

/** Reports whether a member of this is used by name. */
function isReceiver(node: ts.PropertyAccessExpression): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node;
}

/** Reports whether a variable is the editor's window: `const { window } = vscode`. */
function takesWindow({ name, initializer }: ts.VariableDeclaration, tree: ts.SourceFile): boolean {
  return (
    ts.isObjectBindingPattern(name) &&
    initializer?.getText(tree) === 'vscode' &&
    name.elements.some((one) => (one.propertyName ?? one.name).getText(tree) === 'window')
  );
}

/** Reports whether a name refers to its value, not to a member, a declaration, or a type. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return ts.isExpression(node) && !ts.isPartOfTypeNode(node) && !ts.isQualifiedName(parent) && !isName(node);
}

function isName(node: ts.Identifier): boolean {
  const { parent } = node;
  return 'name' in parent && parent.name === node;
}

/** Reports whether a file is opened with flags other than those for reading. */
function opensToWrite(node: ts.Identifier): boolean {
  const { parent } = node;
  if (!node.text.startsWith('open') || !ts.isCallExpression(parent)) return false;
  const [, flags] = parent.arguments;
  return flags !== undefined && !(ts.isStringLiteral(flags) && flags.text === 'r');
}

/** Returns the module that `import()`, `require`, or `getBuiltinModule` loads. */
function wholeModule(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const isLoading =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    /(?:^|\.)(?:require|getBuiltinModule)$/.test(node.expression.getText());
  return isLoading ? moduleName(node.arguments[0]) : undefined;
}

/** Returns the module name: `fs` for `node:fs/promises`. */
function moduleName(node: ts.Expression | undefined): string | undefined {
  if (node === undefined || !ts.isStringLiteralLike(node)) return undefined;
  return node.text.startsWith('.') ? undefined : node.text.replace(/^node:/, '').replace(/\/.*$/s, '');
}

/** Reports whether an editor command runs whose name is neither a literal, a constant, nor begins with one. */
function isUnknownCommand({ expression, arguments: [name] }: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 'executeCommand' &&
    !/^(?:['"]|`\w|(?:`\$\{)?[A-Z][A-Z_]+\b)/.test(name?.getText() ?? '')
  );
}
