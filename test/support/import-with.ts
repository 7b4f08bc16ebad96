// Imports modules with other values of numeric constants, for scripts that compare values.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';

/** Values by the names of constants, as in `const NAME = 40;`. */
type Constants = Readonly<Record<string, number>>;

const source = pathToFileURL(`${root}/`).href;
const dependencies = pathToFileURL(`${root}/node_modules/`).href;
/** Names of constants that a module has. */
const replaced = new Set<string>();

registerHooks({
  // Each set of values has modules of its own.
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { url } = resolved;
    const values = URL.parse(context.parentURL ?? '')?.search ?? '';
    const isOwn = url.startsWith(source) && !url.startsWith(dependencies);
    return isOwn && values !== '' && !url.includes('?') ? { ...resolved, url: url + values } : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const values = URL.parse(url)?.searchParams;
    if (!url.startsWith(source) || values === undefined || values.size === 0) return loaded;
    let text = Buffer.from(loaded.source as Uint8Array).toString();
    for (const [name, value] of values)
      text = text.replace(new RegExp(`(?<=^const ${name} = )[\\d._]+(?=;$)`, 'm'), () => {
        replaced.add(name);
        return value;
      });
    return { ...loaded, source: text };
  },
});

/** Imports a module of the project, by its path, with other values of constants in all modules that it imports. */
export async function importWith<Module>(path: string, constants: Constants): Promise<Module> {
  const url = pathToFileURL(`${root}/${path}`);
  for (const [name, value] of Object.entries(constants)) url.searchParams.set(name, String(value));
  const module = (await import(url.href)) as Module;
  const unknown = Object.keys(constants).filter((name) => !replaced.has(name));
  if (unknown.length > 0) throw new Error(`No module has the constant ${unknown.join(', ')}.`);
  return module;
}
