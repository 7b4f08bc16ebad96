/** Limits of JSON: the nesting of lists and objects, and the number of values, names, and brackets. */
interface JsonBounds {
  readonly depth: number;
  readonly values: number;
}

/**
 * Parses JSON that may be malicious. Counts its values first, since a few bytes of JSON can need a hundred times as
 * much memory, and the parser can't be stopped.
 * @throws SyntaxError for invalid JSON, RangeError if it exceeds the limits.
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

/** Returns the end of the string that begins at a quotation mark, or the end of the text if nothing closes it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === backslash) before--;
    // An even number of backslashes doesn't escape the quotation mark.
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}

/** Returns JSON with `null` in place of `NaN` and `Infinity`, which some programs write outside of strings. */
export function withoutNonNumbers(json: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfString(json, at);
    // The letters that begin `NaN` and `Infinity`, or a minus sign.
    else if (unit === 0x4e || unit === 0x49 || unit === 0x2d) {
      const word = /^(?:NaN|-?Infinity)\b/.exec(json.slice(at, at + 10))?.[0];
      if (word === undefined) continue;
      parts.push(json.slice(from, at), 'null');
      from = at + word.length;
      at = from - 1;
    }
  }
  return parts.join('') + json.slice(from);
}
