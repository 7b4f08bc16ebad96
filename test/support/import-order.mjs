// Defines the allowed imports of each folder. Lint checks the code, and a test checks the list in src/README.md.
import { dirname, join, relative } from 'node:path/posix';

/**
 * Modules of src/ in order, with the earlier modules that each may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const modules = {
  language: [],
  notebook: ['language'],
  messages: ['language', 'notebook'],
  reading: ['language', 'notebook', 'messages'],
  meaning: ['language', 'notebook', 'messages'],
  studio: ['language', 'notebook', 'messages'],
  indexing: ['language', 'notebook', 'messages', 'studio'],
  team: ['language', 'notebook', 'messages', 'reading', 'indexing'],
  answering: ['language', 'notebook', 'messages', 'indexing'],
  making: ['language', 'notebook', 'messages', 'studio', 'answering'],
  exporting: ['language', 'notebook', 'messages'],
  editor: [
    'language',
    'notebook',
    'messages',
    'reading',
    'meaning',
    'studio',
    'indexing',
    'team',
    'answering',
    'making',
    'exporting',
  ],
  features: [
    'language',
    'notebook',
    'messages',
    'reading',
    'meaning',
    'studio',
    'indexing',
    'team',
    'answering',
    'making',
    'exporting',
    'editor',
  ],
  mcp: ['language', 'notebook', 'messages', 'indexing', 'answering'],
};

/**
 * Folders of a module in order: each may import the earlier ones. '.' means the files next to them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const folders = {
  'src/indexing': ['store', 'documents', 'sites', 'search', 'library', 'worker'],
  'src/indexing/store': ['database', 'sources', 'notes', 'conversations', 'made', '.'],
  'src/indexing/search': ['lexical', 'vectors', '.'],
  'src/answering': ['models', 'retrieving', 'question', 'checking', 'places', 'writing', '.'],
  'src/features/research/service': ['skills', 'memory', 'plan', 'work', 'report', '.'],
  'src/editor': [
    '.',
    'models',
    'pdf',
    'recognition',
    'recordings',
    'sources',
    'notebooks',
    'team',
    'notes',
    'citations',
    'agents',
    'chat',
    'questions',
    'studio',
    'services',
    'commands',
  ],
};

/**
 * Parts of a feature's folder below src/features/: where its code runs, as the modules that it may import, and the
 * other parts that it may import. A part is a folder or a file without its extension.
 * @type {Readonly<Record<string, { readonly modules: readonly string[], readonly parts: readonly string[] }>>}
 */
const featureParts = {
  model: { modules: ['language', 'notebook'], parts: [] },
  protocol: { modules: ['language', 'notebook', 'messages'], parts: ['model'] },
  service: {
    modules: ['language', 'notebook', 'messages', 'studio', 'answering', 'making', 'exporting'],
    parts: ['model'],
  },
  store: { modules: ['language', 'notebook', 'messages', 'studio', 'indexing'], parts: ['model'] },
  sync: { modules: ['language', 'notebook', 'messages', 'indexing', 'team'], parts: ['model', 'store'] },
  editor: { modules: modules['features'] ?? [], parts: ['model', 'protocol', 'service', 'store'] },
  index: { modules: modules['features'] ?? [], parts: ['model', 'protocol', 'service', 'store', 'editor'] },
};

/**
 * Registries of src/features/ that each module may import. Other files import no feature.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const registriesOfModules = {
  indexing: ['store', 'types'],
  team: ['sync', 'types'],
  exporting: ['export', 'types'],
  editor: ['types'],
};

/**
 * Parts of features that each registry may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const partsOfRegistries = {
  store: ['store'],
  sync: ['sync'],
  export: ['service'],
  types: ['model', 'service', 'store'],
};

/** Shared folders of webview/ in order: each may import the earlier ones. Every other folder of webview/ is a page. */
const partsOfPages = ['shared', 'figure', 'cited'];

/** Folders of src/ that webviews may import. */
const sharedWithWebviews = ['language', 'messages', 'notebook'];

/**
 * Returns why a file must not import a file or package; undefined if it may. Paths are from the project's root.
 * @param {string} file
 * @param {string} imported
 */
export function whyClosed(file, imported) {
  if (imported === 'vscode')
    return /^src\/(?:editor\/|features\/[^/]+\/(?:editor\/|index\.ts$)|extension\.ts$)|^test\//.test(file)
      ? undefined
      : 'Only src/editor/, src/extension.ts, and editor/ of a feature can import vscode.';
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
  if (file.startsWith('webview/') && ['model', 'protocol'].includes(partOfFeature(imported)?.part ?? ''))
    return undefined;
  if (file.startsWith('webview/'))
    return sharedWithWebviews.includes(partWithin('src', imported))
      ? undefined
      : 'A page can import only language/, messages/, and notebook/ from src/.';
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
  if (from === undefined) {
    const registry = registryName(file);
    if (registry !== undefined)
      return to === undefined || partsOfRegistries[registry]?.includes(to.part)
        ? undefined
        : `${file} can’t import ${imported}.`;
    // Salvage checks and completes the rows of all tables, and each table's JSON has its schema in the feature.
    if (/^src\/indexing\/store\/database\/(?:salvage|stored-rows)\.ts$/.test(file) && to?.part === 'store')
      return undefined;
    if (to !== undefined)
      return file === 'src/extension.ts' && to.part === 'index'
        ? undefined
        : 'Import a feature through a registry in src/features/, or in src/extension.ts through its index.ts.';
    return registriesOfModules[partWithin('src', file)]?.includes(registryName(imported) ?? '')
      ? undefined
      : `${file} can’t import ${imported}.`;
  }
  const rule = featureParts[from.part];
  if (rule === undefined)
    return `${file} isn’t in a part of a feature: ${Object.keys(featureParts).join(', ')}.`;
  if (to === undefined)
    return rule.modules.includes(partWithin('src', imported))
      ? undefined
      : `${from.part} of a feature can’t import ${partWithin('src', imported)}/.`;
  if (from.feature !== to.feature)
    return to.part === 'index' ? undefined : `Import ${to.feature} only through its index.ts.`;
  return from.part === to.part || rule.parts.includes(to.part)
    ? undefined
    : `${from.part} of a feature can’t import its ${to.part}.`;
}

/**
 * Returns the name of a registry, a file in src/features/; undefined for other files.
 * @param {string} path
 */
function registryName(path) {
  return /^src\/features\/(\w+)\.ts$/.exec(path)?.[1];
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
