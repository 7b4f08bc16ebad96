/** What JSON may hold: how deep lists and objects stand in each other, and how many values, names and brackets there are. */
interface JsonBounds {
  readonly depth: number;
  readonly values: number;
}

/**
 * Parses JSON that may have been made to harm. What it would become is counted first, since a few bytes of it can take
 * a hundred times as much memory, and the parser can't be stopped.
 * @throws SyntaxError where it is none, RangeError where it is beyond the bounds.
 */
export function parseBounded(json: string, bounds: JsonBounds): unknown {
  if (!isWithin(json, bounds)) throw new RangeError('The JSON holds too much, or nests it too deeply.');
  return JSON.parse(json);
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function isWithin(json: string, { depth, values }: JsonBounds): boolean {
  let open = 0;
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at);
        break;
      case openList:
      case openObject:
        if (++open > depth) return false;
        count++;
        break;
      case closeList:
      case closeObject:
        open--;
        break;
      case comma:
      case colon:
        count++;
    }
    if (count > values) return false;
  }
  return true;
}

/** Where a string ends that begins at a quote; at the end of all where it doesn't. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === backslash) before--;
    // Pairs of backslashes stand for themselves.
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
