// Writes a charsmap like SentencePiece: a darts-clone double array over UTF-8, and the replacements that it points
// to.

interface Node {
  readonly children: Map<number, Node>;
  value: number | undefined;
}

/** Encodes replacements of character sequences in Base64. */
export function buildCharsmap(replacements: Readonly<Record<string, string>>): string {
  const root: Node = { children: new Map(), value: undefined };
  const texts: Buffer[] = [];
  let at = 0;
  for (const [from, to] of Object.entries(replacements)) {
    let node = root;
    for (const byte of Buffer.from(from)) {
      const next = node.children.get(byte) ?? { children: new Map<number, Node>(), value: undefined };
      node.children.set(byte, next);
      node = next;
    }
    node.value = at;
    const text = Buffer.from(`${to}\0`);
    texts.push(text);
    at += text.length;
  }
  const units: number[] = [0];
  const usedCodes = new Set([0]);
  const bases = new Set<number>();
  const place = (node: Node, position: number, label: number): void => {
    const needed = [...node.children.keys(), ...(node.value === undefined ? [] : [0])];
    let base = 1;
    // Two nodes with the same base would share their children.
    while (bases.has(base) || needed.some((byte) => usedCodes.has(base ^ byte))) base++;
    bases.add(base);
    for (const byte of needed) usedCodes.add(base ^ byte);
    units[position] = (((position ^ base) << 10) | (node.value === undefined ? 0 : 1 << 8) | label) >>> 0;
    if (node.value !== undefined) units[base] = (node.value | (1 << 31)) >>> 0;
    for (const [byte, child] of node.children) place(child, base ^ byte, byte);
  };
  place(root, 0, 0);
  const trie = Buffer.alloc(4 * units.length);
  for (let unit = 0; unit < units.length; unit++) trie.writeUInt32LE(units[unit] ?? 0, 4 * unit);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(trie.length);
  return Buffer.concat([length, trie, ...texts]).toString('base64');
}
