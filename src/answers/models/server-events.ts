import { EndpointFailure } from './openai-errors.ts';

/** Maximum length of an event or of a whole reply, in UTF-16 code units. */
const MAX_LENGTH = 16 * 1024 * 1024;

/**
 * Yields the JSON values of a reply on arrival, and `[DONE]` at its declared end. Reads server-sent events, also without
 * blank lines between them or after the last one, and a whole reply, also as a list or as one value in each line.
 * @throws SyntaxError if a value isn't valid JSON; EndpointFailure if it's too long
 */
export async function* readServerEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator {
  const lines = readLines(body);
  let data: string[] = [];
  let rest: string[] | undefined;
  let length = 0;
  for await (const line of lines) {
    if (rest !== undefined) {
      rest.push(line);
      length += line.length;
      if (length > MAX_LENGTH) throw new EndpointFailure('foreign');
      continue;
    }
    if (/^\s*[[{]/.test(line) && data.length === 0) {
      rest = [line];
      continue;
    }
    if (line.trim() === '') {
      for (const value of parseEvent(data)) {
        yield value;
        // Some servers leave the connection open after the end.
        if (value === '[DONE]') return;
      }
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
  }
  yield* parseEvent(data);
  if (rest !== undefined) {
    yield* parseWhole(rest);
    yield '[DONE]';
  }
}

function* parseEvent(data: readonly string[]): Generator {
  const text = data.join('\n').trim();
  if (text === '') return;
  if (text.startsWith('[DONE]') || /^done$/i.test(text)) {
    yield '[DONE]';
    return;
  }
  // A server that omits the blank lines sends several events at once.
  const values = data.length > 1 && !isJson(text) ? data.filter((line) => line.trim() !== '') : [text];
  for (const value of values) yield value.startsWith('[DONE]') ? '[DONE]' : (JSON.parse(value) as unknown);
}

function* parseWhole(lines: readonly string[]): Generator {
  const text = lines.join('\n').trim();
  const values = isJson(text) ? [text] : lines.filter((line) => line.trim() !== '');
  for (const value of values) {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) yield* parsed;
    else yield parsed;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The text isn't JSON.
    return false;
  }
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const chunk = decoder.decode(bytes, { stream: true });
    rest += chunk;
    if (!/[\r\n]/.test(chunk)) {
      if (rest.length > MAX_LENGTH) throw new EndpointFailure('foreign');
      continue;
    }
    // The line feed after a carriage return may not have arrived yet.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + rest.slice(end);
    yield* lines;
  }
  yield* (rest + decoder.decode()).split(/\r\n|\n|\r/);
}
