import * as v from 'valibot';
import type { ModelAbilities } from '../../core/domain/model-choice.ts';
import { endpointFetch } from './endpoint-fetch.ts';
import { readAbilities, reportedAbilities } from './model-abilities.ts';
import { requestHeaders, type EndpointAccess } from './openai-client.ts';
import {
  anyFields,
  anyList,
  fields,
  fitting,
  jsonObject,
  maybe,
  wholeNumber,
} from '../../core/domain/json-schemas.ts';

/** Ollama's default context window. It silently drops text that doesn't fit. */
const OLLAMA_WINDOW = 4096;

const shownByOllama = fields({
  capabilities: fitting(v.string()),
  model_info: jsonObject,
  parameters: v.string(),
});
const runningInOllama = fields({ models: anyList });
const runningModel = fields({ model: v.string(), name: v.string(), context_length: wholeNumber });
const propsOfLlamaCpp = fields({
  default_generation_settings: fields({ n_ctx: wholeNumber }),
  modalities: fields({ vision: v.boolean() }),
});

type Ask = (path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Returns a server's description of one of its models outside of OpenAI's protocol, as Ollama, LM Studio, and llama.cpp
 * offer it; undefined if the server doesn't answer in time.
 */
export async function describeModel(
  access: EndpointAccess,
  name: string,
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<ModelAbilities | undefined> {
  const root = access.baseUrl.replace(/\/v1\/?$/, '');
  if (root === access.baseUrl || !URL.canParse(root)) return {};
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const send = endpointFetch(root);
  const server = { isThere: false };
  const ask: Ask = async (path, body) => {
    const response = await send(`${root}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: ownHeaders(access),
      signal: limit,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    server.isThere = true;
    if (!response.ok) throw new Error(`${path} is not known here.`);
    return v.parse(anyFields, await response.json());
  };
  const reports = await Promise.allSettled([ofLmStudio(ask, name), ofOllama(ask, name), ofLlamaCpp(ask)]);
  return server.isThere
    ? reports.reduce<ModelAbilities>(
        (abilities, result) =>
          result.status === 'fulfilled' ? { ...abilities, ...result.value } : abilities,
        {},
      )
    : undefined;
}

async function ofLmStudio(ask: Ask, name: string): Promise<ModelAbilities> {
  return reportedAbilities(await ask(`/api/v0/models/${encodeURIComponent(name)}`));
}

async function ofOllama(ask: Ask, name: string): Promise<ModelAbilities> {
  const [description, running] = await Promise.all([
    ask('/api/show', { model: name }),
    ask('/api/ps').catch(() => ({})),
  ]);
  const {
    capabilities: can = [],
    model_info: info = {},
    parameters = '',
  } = v.parse(shownByOllama, description);
  const length = Object.entries(info).find(([key]) => key.endsWith('.context_length'));
  const trained = v.parse(maybe(wholeNumber), length?.[1]);
  const set = v.parse(maybe(wholeNumber), Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]));
  const loaded = windowOfRunning(running, name);
  const used = loaded ?? set ?? (trained === undefined ? undefined : Math.min(trained, OLLAMA_WINDOW));
  return readAbilities({
    windowTokens: used,
    tools: can.length === 0 ? undefined : can.includes('tools'),
    images: can.length === 0 ? undefined : can.includes('vision'),
  });
}

function windowOfRunning(running: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const { models = [] } = v.parse(runningInOllama, running);
  const read = models.map((model) => v.parse(runningModel, model));
  return read.find((runningEntry) => runningEntry.model === name || runningEntry.name === name)
    ?.context_length;
}

async function ofLlamaCpp(ask: Ask): Promise<ModelAbilities> {
  const props = v.parse(propsOfLlamaCpp, await ask('/props'));
  return readAbilities({
    windowTokens: props.default_generation_settings?.n_ctx,
    tools: undefined,
    images: props.modalities?.vision === true ? true : undefined,
  });
}

function ownHeaders(access: EndpointAccess): Record<string, string> {
  const key = access.apiKey?.trim() ?? '';
  const bearer = key === '' ? {} : { authorization: `Bearer ${key}` };
  const own = Object.entries(requestHeaders(access)).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    'content-type': 'application/json',
    ...(access.keyHeader === undefined && bearer),
    ...Object.fromEntries(own),
  };
}
