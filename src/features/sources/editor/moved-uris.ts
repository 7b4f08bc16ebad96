/** Returns the new URI of a file or folder after it or a parent was renamed; undefined if it isn't affected. */
export function movedUri(uri: string, from: string, to: string): string | undefined {
  if (uri === from) return to;
  return uri.startsWith(`${from}/`) ? to + uri.slice(from.length) : undefined;
}

/**
 * Returns the title of a source after it was moved. A title that was the file's name, with or without parent folders,
 * is replaced by the new name. A title that the user chose stays.
 */
export function movedTitle(title: string, from: string, to: string): string {
  const lines = /( L\d+(?:–\d+)?)?$/.exec(title)?.[0] ?? '';
  const name = title.slice(0, title.length - lines.length);
  if (!isPathTitle(name, from)) return title;
  return to.split('/').slice(-name.split('/').length).join('/') + lines;
}

/**
 * Returns unique titles for files and folders with the same name, with as many parent folders as necessary. Paths must
 * be absolute and distinct; titles are in their order.
 */
export function titlesApart(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split('/').filter((part) => part !== ''));
  return parts.map((own, index) => {
    const lastParts = (pathParts: readonly string[], length: number): string =>
      pathParts.slice(-length).join('/');
    const others = parts.filter((_, at) => at !== index);
    let length = 1;
    while (length < own.length && others.some((other) => lastParts(other, length) === lastParts(own, length)))
      length++;
    return lastParts(own, length);
  });
}

/** Reports whether a title is the name of a path, with or without parent folders. */
export function isPathTitle(title: string, path: string): boolean {
  return title !== '' && `/${path}`.endsWith(`/${title}`);
}
