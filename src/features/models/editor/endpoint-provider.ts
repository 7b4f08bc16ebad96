import type { OfferedModel } from '../../../answers/models/list-models.ts';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type {
  ListedModel,
  ModelProvider,
  ModelServer,
  ProvidedModel,
  ServerPlace,
} from '../../../answers/models/model-provider.ts';
import type { EndpointAccess } from '../../../answers/models/openai-client.ts';
import type { KnownDifferences } from '../../../answers/models/request-differences.ts';
import {
  factsAbout,
  parseEndpointChoice,
  type EndpointChoice,
  type NamedEndpoint,
} from '../../../core/domain/endpoint.ts';
import type { ModelAbilities, ProvidedChoice } from '../../../core/domain/model-choice.ts';
import { isPrivateHost } from '../../../parsers/web/private-addresses.ts';
import { baseUrl, endpoints, temperature } from '../../../platform/settings.ts';
import { apiKeyFor, type KeyStorage } from './api-key.ts';
import { hostOf, isSameServer } from './model-providers.ts';

const OPENAI = 'https://api.openai.com/v1';

/** Default addresses of model servers. */
const DEFAULT_SERVERS: readonly (readonly [label: string, address: string])[] = [
  ['Ollama', 'http://127.0.0.1:11434/v1'],
  ['LM Studio', 'http://127.0.0.1:1234/v1'],
  ['llama.cpp', 'http://127.0.0.1:8080/v1'],
];

/** Maximum time for a default server, and for any other server, to list its models, in milliseconds. */
const LOCAL_TIMEOUT_MS = 1_500;
const LIST_TIMEOUT_MS = 8_000;
/** Maximum time for a server to describe a model before a question proceeds without, in milliseconds. */
const DESCRIBE_TIMEOUT_MS = 1_500;

/** Separator between the URL of an unnamed endpoint and its model: `http://127.0.0.1:11434/v1#MODEL`. */
const ADDRESS_END = '#';

/** Servers with an OpenAI-compatible API. */
export class EndpointProvider implements ModelProvider {
  readonly kind = 'endpoint';
  readonly #secrets: KeyStorage;
  /** Differences of endpoints that were found out, for the lifetime of the window. */
  readonly #differences: KnownDifferences = new Map();
  readonly #described = new Map<string, ModelAbilities>();

  constructor(secrets: KeyStorage) {
    this.#secrets = secrets;
  }

  /** Returns the user's endpoints, OpenAI, and the default servers of this machine, each unnamed URL once. */
  servers(): ModelServer[] {
    const known = endpoints().map(({ name, address }) => this.serverAt({ name, address }));
    const add = (label: string, address: string, isDetected = false): void => {
      if (!known.some((endpoint) => endpoint.address === address))
        known.push(this.#server({ address }, label, isDetected));
    };
    add('OpenAI', OPENAI);
    add(hostOf(baseUrl()), baseUrl());
    for (const [label, address] of DEFAULT_SERVERS) add(label, address, true);
    return known;
  }

  serverAt(place: ServerPlace): ModelServer {
    return this.#server(place, place.name ?? hostOf(place.address), false);
  }

  model(stored: ProvidedChoice): ProvidedModel | undefined {
    const read = parseEndpointChoice(stored);
    if (read === undefined) return undefined;
    const endpoint = endpointAt({ address: read.baseUrl, name: read.endpoint });
    // The user may have renamed the endpoint since.
    const choice = { ...read, endpoint: endpoint?.name };
    const { baseUrl: address, name } = choice;
    const place = { address, name: choice.endpoint };
    const server = this.servers().find((candidate) => isSameServer(candidate, place)) ?? this.serverAt(place);
    const url = URL.parse(address);
    const prices = factsAbout(endpoint, name).prices ?? choice.prices;
    // A model on this machine or a private network is free unless it has a price.
    const isFree = prices === undefined && url !== null && isPrivateHost(url.hostname);
    return {
      ...toListedModel(server, choice),
      id: keyOf(choice),
      server,
      provider: endpoint?.name ?? hostOf(address),
      receiver: hostOf(address),
      cost: isFree ? 'free' : 'metered',
      prices,
      settingName:
        choice.endpoint === undefined ? `${address}${ADDRESS_END}${name}` : `${choice.endpoint}/${name}`,
      open: () => this.#open(choice),
    };
  }

  modelInSetting(settingName: string): ProvidedChoice | undefined {
    const endpoint = endpoints().find(({ name }) => settingName.startsWith(`${name}/`));
    if (endpoint !== undefined) return choose(endpoint, settingName.slice(endpoint.name.length + 1));
    const [address = '', ...rest] = settingName.split(ADDRESS_END);
    return rest.length > 0 && /^https?:/i.test(address)
      ? choose({ address }, rest.join(ADDRESS_END))
      : undefined;
  }

  #server(place: ServerPlace, label: string, isDetected: boolean): ModelServer {
    const access = (): Promise<EndpointAccess> => accessTo(this.#secrets, place);
    const timeout = isDetected ? LOCAL_TIMEOUT_MS : LIST_TIMEOUT_MS;
    const server: ModelServer = {
      ...place,
      label,
      isDetected,
      isEditable: true,
      key: {
        isRequired: place.address === OPENAI,
        test: async (model, options) => {
          const { testKey } = await import('../../../answers/models/test-key.ts');
          await testKey(await access(), model, options);
        },
      },
      list: async (signal) => {
        const { listModels } = await import('../../../answers/models/list-models.ts');
        const models = await listModels(await access(), { signal, timeout });
        return models.map((model) => toListedModel(server, choose(place, model.name, model), model));
      },
      named: (name) => choose(place, name),
      embed: async (name, texts, options) => {
        const { embedTexts } = await import('../../../answers/models/openai-embeddings.ts');
        return await embedTexts({ ...(await access()), name }, texts, options);
      },
      speak: async (name, request, options) => {
        const { speak } = await import('../../../answers/models/openai-speech.ts');
        return await speak({ ...(await access()), name }, request, options);
      },
      transcribe: async (name, part, options) => {
        const { transcribe } = await import('../../../answers/models/openai-transcription.ts');
        return await transcribe({ ...(await access()), name }, part, options);
      },
    };
    return server;
  }

  async #open(choice: EndpointChoice): Promise<LanguageModel> {
    const { name } = choice;
    const place = { address: choice.baseUrl, name: choice.endpoint };
    const access = await accessTo(this.#secrets, place);
    const facts = factsAbout(endpointAt(place), name);
    const known = facts.windowTokens ?? choice.windowTokens;
    const abilities =
      known === undefined ? await this.#describe(access, choice) : this.#described.get(keyOf(choice));
    // Loaded with the first question to a model, because it is the largest part of the extension and often isn't
    // needed.
    const { openAiModel } = await import('../../../answers/models/openai.ts');
    return openAiModel({
      ...access,
      name,
      windowTokens: known ?? abilities?.windowTokens,
      takesImages: facts.images ?? abilities?.images,
      takesTools: facts.tools ?? abilities?.tools,
      temperature: temperature(),
      differences: this.#differences,
    });
  }

  /** Returns the endpoint's description of a model that wasn't picked from its list. Only an answer is cached. */
  async #describe(access: EndpointAccess, choice: EndpointChoice): Promise<ModelAbilities> {
    const key = keyOf(choice);
    const known = this.#described.get(key);
    if (known !== undefined) return known;
    const { describeModel } = await import('../../../answers/models/describe-model.ts');
    const { signal } = new AbortController();
    const abilities = await describeModel(access, choice.name, { signal, timeout: DESCRIBE_TIMEOUT_MS });
    // A server that didn't answer may answer the next time.
    if (abilities !== undefined) this.#described.set(key, abilities);
    return abilities ?? {};
  }
}

/** Returns the URL of an endpoint with its key and its headers. */
export async function accessTo(secrets: KeyStorage, place: ServerPlace): Promise<EndpointAccess> {
  const { name = place.name, headers, keyHeader, apiVersion } = endpointAt(place) ?? {};
  // A model that was picked before its endpoint was renamed still gets the key.
  const apiKey = await apiKeyFor(secrets, { address: place.address, name });
  return { baseUrl: place.address, apiKey, headers, keyHeader, apiVersion };
}

/** Returns the settings of an endpoint by its name, or else those of the first endpoint with its URL. */
function endpointAt({ address, name }: ServerPlace): NamedEndpoint | undefined {
  const atAddress = endpoints().filter((endpoint) => endpoint.address === address);
  return atAddress.find((endpoint) => endpoint.name === name) ?? atAddress[0];
}

/** Returns the choice of a model that an endpoint lists, or that the user names. */
export function choose(
  { address, name: endpoint }: ServerPlace,
  name: string,
  { windowTokens, prices }: Partial<OfferedModel> = {},
): EndpointChoice {
  return { kind: 'endpoint', baseUrl: address, endpoint, name, windowTokens, prices };
}

/** Returns a model as its server lists it. The user's settings override what the server offers. */
function toListedModel(
  server: ModelServer,
  choice: EndpointChoice,
  offered: ModelAbilities = { windowTokens: choice.windowTokens },
): ListedModel {
  const facts = factsAbout(endpointAt({ address: choice.baseUrl, name: choice.endpoint }), choice.name);
  const abilities: ModelAbilities = {
    windowTokens: facts.windowTokens ?? offered.windowTokens,
    tools: facts.tools ?? offered.tools,
    images: facts.images ?? offered.images,
  };
  return { choice, offeredBy: server.label, abilities };
}

function keyOf({ baseUrl: address, endpoint, name }: EndpointChoice): string {
  return JSON.stringify([address, endpoint, name]);
}
