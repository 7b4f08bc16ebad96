/** Where a file or folder is after one above it, or it itself, was renamed; undefined where it lay elsewhere. */
export function movedUri(uri: string, from: string, to: string): string | undefined {
  if (uri === from) return to;
  return uri.startsWith(`${from}/`) ? to + uri.slice(from.length) : undefined;
}

/**
 * What a source is called after it was moved from one path to another: one that had its file's name, alone or behind
 * the folders above it, gets the new one; one that the user named stays as it is.
 */
export function movedTitle(title: string, from: string, to: string): string {
  const lines = /( L\d+(?:–\d+)?)?$/.exec(title)?.[0] ?? '';
  const name = title.slice(0, title.length - lines.length);
  if (!isPathTitle(name, from)) return title;
  return to.split('/').slice(-name.split('/').length).join('/') + lines;
}

/**
 * What files and folders of one name are called so that they can be told apart: with as many of the folders above as
 * it takes. Paths are absolute, all of them different; titles come in their order.
 */
export function titlesApart(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split('/').filter((part) => part !== ''));
  return parts.map((own, index) => {
    const lastParts = (all: readonly string[], length: number): string => all.slice(-length).join('/');
    const others = parts.filter((_, at) => at !== index);
    let length = 1;
    while (length < own.length && others.some((other) => lastParts(other, length) === lastParts(own, length)))
      length++;
    return lastParts(own, length);
  });
}

/** Whether a title is that of a path by its name, alone or behind folders above it. */
export function isPathTitle(title: string, path: string): boolean {
  return title !== '' && `/${path}`.endsWith(`/${title}`);
}
