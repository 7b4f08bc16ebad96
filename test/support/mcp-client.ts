import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Command that starts a server, as in a client's configuration. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server over its standard streams and connects to it as a client. */
export async function connectTo({ command, args, env }: ServerCommand): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'ignore' });
  await client.connect(transport);
  return client;
}

/** Returns the result of a tool, and whether it is an error. */
export async function callTool(
  client: Client,
  name: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<{ text: string; isError: boolean }> {
  const result = await client.callTool({ name, arguments: input }, signal && { signal });
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, isError: result.isError === true };
}
