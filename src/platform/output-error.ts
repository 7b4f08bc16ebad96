/** VS Code's media type of errors in notebook cells. */
export const OUTPUT_ERROR = 'application/vnd.code.notebook.error';

/** Returns the text of an error in a cell: its stack trace, which mostly begins or ends with its name and message. */
export function errorText(json: string): string {
  try {
    const thrown: unknown = JSON.parse(json);
    const part = (name: string): string => {
      const value: unknown = thrown instanceof Object ? Reflect.get(thrown, name) : undefined;
      return typeof value === 'string' ? value : '';
    };
    const trace = part('stack');
    const description = [part('name'), part('message')].filter((text) => text !== '').join(': ');
    return trace.includes(description) ? trace : `${description}\n${trace}`;
  } catch {
    // A kernel can write any text.
    return json;
  }
}
