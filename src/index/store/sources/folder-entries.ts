import type { SourceFolder } from '../../../core/domain/source.ts';

/** Document data needed for the tree of its source. */
export interface PlacedDocument {
  readonly id: number;
  /** Path in the source, with `/` between names. */
  readonly key: string;
}

/** Direct contents of a source's folder. */
interface PlacedEntries {
  readonly folders: readonly SourceFolder[];
  readonly documentIds: readonly number[];
}

const byName = new Intl.Collator(undefined, { numeric: true });

/**
 * Lists the direct contents of a folder by name, from all documents below it, sorted by key. A folder that only
 * contains one other folder is merged with it, as in `main/java`.
 */
export function placeEntries(
  documents: readonly PlacedDocument[],
  folder: string,
  isIncluded: (key: string) => boolean,
): PlacedEntries {
  const start = folder === '' ? 0 : folder.length + 1;
  const files: (PlacedDocument & { readonly name: string })[] = [];
  const groups = new Map<string, PlacedDocument[]>();
  for (const document of documents) {
    const end = document.key.indexOf('/', start);
    const name = document.key.slice(start, end < 0 ? undefined : end);
    if (end < 0) files.push({ ...document, name });
    else if (!groups.get(name)?.push(document)) groups.set(name, [document]);
  }
  const folders = [...groups.values()].map((group): SourceFolder => {
    const path = commonFolder(group);
    const included = group.filter(({ key }) => isIncluded(key)).length;
    return { path, name: path.slice(start), documents: group.length, included };
  });
  return {
    folders: folders.toSorted((a, b) => byName.compare(a.name, b.name)),
    documentIds: files.toSorted((a, b) => byName.compare(a.name, b.name)).map(({ id }) => id),
  };
}

/** Returns the innermost folder that contains all documents, which are sorted by key. */
function commonFolder(documents: readonly PlacedDocument[]): string {
  const first = documents.at(0)?.key ?? '';
  const last = documents.at(-1)?.key ?? '';
  let end = 0;
  for (let at = first.indexOf('/'); at >= 0; at = first.indexOf('/', at + 1)) {
    if (!last.startsWith(first.slice(0, at + 1))) break;
    end = at;
  }
  return first.slice(0, end);
}
