/** Whether two words differ by one edit: a letter more, less or other, or two swapped. */
export function isOneEdit(a: string, b: string): boolean {
  const shortest = Math.min(a.length, b.length);
  const longest = Math.max(a.length, b.length);
  if (longest - shortest > 1) return false;
  let same = 0;
  while (same < shortest && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  let end = 1;
  while (end <= shortest - same && a.charCodeAt(a.length - end) === b.charCodeAt(b.length - end)) end++;
  const other = longest - same - (end - 1);
  return (
    other === 1 ||
    (other === 2 && a.length === b.length && a[same] === b[same + 1] && a[same + 1] === b[same])
  );
}
