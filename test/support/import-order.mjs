// Defines the allowed imports of each folder. Lint checks the code, and a test checks the list in src/README.md.
import { dirname, join, relative } from 'node:path/posix';

/**
 * Modules of src/ in order, with the earlier modules that each may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const modules = {
  core: [],
  parsers: ['core'],
  index: ['core'],
  answers: ['core', 'index'],
  platform: ['core', 'parsers', 'index', 'answers'],
  features: ['core', 'parsers', 'index', 'answers', 'platform'],
  services: ['core', 'parsers', 'index', 'answers', 'platform', 'features'],
};

/**
 * Folders of a module in order: each may import the earlier ones. '.' means the files next to them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const folders = {
  'src/core': ['language', 'domain', 'rpc'],
  'src/index': ['store', 'documents', 'search', 'library', 'worker'],
  'src/index/store': ['database', 'sources', '.'],
  'src/index/search': ['lexical', 'vectors', '.'],
  'src/answers': ['models', 'retrieving', 'question', 'checking', 'places', 'writing', '.'],
  'src/features': [
    'export',
    'notebooks',
    'team',
    'models',
    'semantic-search',
    'pdf',
    'ocr',
    'recordings',
    'forge',
    'crawling',
    'sources',
    'bibliography',
    'sharing',
    'notes',
    'citations',
    'mcp',
    'agents',
    'chat',
    'questions',
    'artifacts',
    'audio',
    'flashcards',
    'tables',
    'research',
  ],
  'src/features/research/service': ['skills', 'memory', 'plan', 'work', 'report', '.'],
};

const BELOW_EDITOR = ['core', 'parsers', 'index', 'answers'];

/**
 * Parts of a feature's folder: where its code runs, as the modules that it may import, and the other parts of features
 * that it may import. A part is a folder or a file without its extension.
 * @type {Readonly<Record<string, { readonly modules: readonly string[], readonly parts: readonly string[] }>>}
 */
const featureParts = {
  model: { modules: ['core'], parts: [] },
  protocol: { modules: ['core'], parts: ['model'] },
  service: { modules: BELOW_EDITOR, parts: ['model'] },
  store: { modules: ['core', 'index'], parts: ['model'] },
  sync: { modules: ['core', 'index'], parts: ['model', 'store', 'service'] },
  editor: {
    modules: [...BELOW_EDITOR, 'platform'],
    parts: ['model', 'protocol', 'service', 'store'],
  },
  commands: {
    modules: [...BELOW_EDITOR, 'platform', 'services'],
    parts: ['model', 'protocol', 'service', 'store', 'editor'],
  },
  index: {
    modules: [...BELOW_EDITOR, 'platform', 'services'],
    parts: ['model', 'protocol', 'service', 'store', 'editor', 'commands'],
  },
};

/** Parts of features that other features may import in any order, since they import only core/. */
const openParts = ['model', 'protocol'];

/** Parts of features that may import all features, since no other part imports them. */
const lastParts = ['commands', 'index'];

/**
 * Registries of src/features/ that each module or feature may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const registriesOf = {
  index: ['recovery', 'store', 'types'],
  platform: ['types'],
  'features/export': ['file-formats', 'types'],
  'features/team': ['sync', 'types'],
  'features/notes': ['types'],
};

/**
 * Parts of features that each registry may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const partsOfRegistries = {
  recovery: ['store'],
  store: ['model', 'store'],
  sync: ['sync', 'service'],
  'file-formats': ['service'],
  types: ['model', 'service', 'store'],
};

/** Files that may import vscode. */
const MAY_USE_EDITOR =
  /^(?:test\/|src\/(?:platform\/|services\/|[\w-]+\.ts$|features\/[^/]+\/(?:editor\/|commands\/|index\.ts$)))/;

/** Shared folders of webview/ in order: each may import the earlier ones. Every other folder of webview/ is a page. */
const partsOfPages = ['shared', 'figure', 'cited'];

/**
 * Returns why a file must not import a file or package; undefined if it may. Paths are from the project's root.
 * @param {string} file
 * @param {string} imported
 */
export function whyClosed(file, imported) {
  if (imported === 'vscode')
    return MAY_USE_EDITOR.test(file)
      ? undefined
      : 'Only platform/, services/, files of src/, and editor/, commands/, and index.ts of a feature can import vscode.';
  if (file.startsWith('webview/') && imported.startsWith('webview/')) {
    const [page, other] = [partWithin('webview', file), partWithin('webview', imported)];
    if (page === other) return undefined;
    const part = partsOfPages.indexOf(other);
    if (part === -1)
      return `A page can’t import another page. Move what ${page}/ and ${other}/ share to shared/ or cited/.`;
    return !partsOfPages.includes(page) || partsOfPages.indexOf(page) > part
      ? undefined
      : `${page}/ comes before ${other}/ and can’t import it.`;
  }
  if (!imported.startsWith('src/')) return undefined;
  if (file.startsWith('webview/'))
    return partWithin('src', imported) === 'core' || openParts.includes(partOfFeature(imported)?.part ?? '')
      ? undefined
      : 'A page can import only core/ and the model and protocol of a feature from src/.';
  if (!file.startsWith('src/')) return undefined;
  if (file.startsWith('src/features/') || imported.startsWith('src/features/'))
    return whyClosedToFeature(file, imported);
  let common = dirname(file);
  while (relative(common, imported).startsWith('..')) common = dirname(common);
  const [from, to] = [partWithin(common, file), partWithin(common, imported)];
  if (from === to) return undefined;
  if (common === 'src') {
    const open = modules[from];
    return open === undefined || open.includes(to) ? undefined : `${from}/ can’t import ${to}/.`;
  }
  const order = folders[common];
  if (order === undefined || order.indexOf(to) < order.indexOf(from)) return undefined;
  return `${join(common, from)} comes before ${to} and can’t import it.`;
}

/**
 * Returns why an import from or into a feature isn't allowed; undefined if it is.
 * @param {string} file
 * @param {string} imported
 */
function whyClosedToFeature(file, imported) {
  const [from, to] = [partOfFeature(file), partOfFeature(imported)];
  const registry = registryName(imported);
  if (registry !== undefined) {
    const module = from === undefined ? partWithin('src', file) : `features/${from.feature}`;
    return registryName(file) !== undefined || registriesOf[module]?.includes(registry)
      ? undefined
      : `${file} can’t import ${imported}.`;
  }
  if (from === undefined) return to === undefined ? undefined : whyClosedToModule(file, to);
  const rule = featureParts[from.part];
  if (rule === undefined)
    return `${file} isn’t in a part of a feature: ${Object.keys(featureParts).join(', ')}.`;
  if (to === undefined)
    return rule.modules.includes(partWithin('src', imported))
      ? undefined
      : `${from.part} of a feature can’t import ${partWithin('src', imported)}.`;
  if (from.part !== to.part && !rule.parts.includes(to.part))
    return `${from.part} of a feature can’t import ${to.part}.`;
  const order = folders['src/features'] ?? [];
  return from.feature === to.feature ||
    openParts.includes(to.part) ||
    lastParts.includes(from.part) ||
    order.indexOf(to.feature) < order.indexOf(from.feature)
    ? undefined
    : `${from.feature} comes before ${to.feature} and can’t import it.`;
}

/**
 * Returns why a file outside features must not import a part of one; undefined if it may.
 * @param {string} file
 * @param {{ readonly feature: string, readonly part: string }} to
 */
function whyClosedToModule(file, to) {
  const registry = registryName(file);
  if (registry !== undefined)
    return partsOfRegistries[registry]?.includes(to.part)
      ? undefined
      : `${registry}.ts can’t import ${to.part} of a feature.`;
  return /^src\/(?:services\/|(?:commands|extension)\.ts$)/.test(file)
    ? undefined
    : 'Import a feature through a registry in src/features/.';
}

/**
 * Returns the name of a registry, a file in src/features/; undefined for other files.
 * @param {string} path
 */
function registryName(path) {
  return /^src\/features\/([\w-]+)\.ts$/.exec(path)?.[1];
}

/**
 * Returns the feature that a path belongs to, and its part; undefined for other files.
 * @param {string} path
 */
function partOfFeature(path) {
  const [, feature = '', part = ''] = /^src\/features\/([^/]+)\/([^/.]+)/.exec(path) ?? [];
  return part === '' ? undefined : { feature, part };
}

/**
 * Returns the folder within another that a path leads through, or '.'.
 * @param {string} folder
 * @param {string} path
 */
function partWithin(folder, path) {
  const inside = relative(folder, path);
  return inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : '.';
}
