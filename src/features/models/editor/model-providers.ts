import { t } from '@vscode/l10n';
import type {
  ModelProvider,
  ModelServer,
  ProvidedModel,
  ServerPlace,
} from '../../../answers/models/model-provider.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { ModelChoice, ProvidedChoice } from '../../../core/domain/model-choice.ts';
import type { KeyStorage } from './api-key.ts';

/** The providers of models, and the storage of their API keys. */
export class ModelProviders {
  readonly #providers: readonly ModelProvider[];
  readonly secrets: KeyStorage;

  constructor(providers: readonly ModelProvider[], secrets: KeyStorage) {
    this.#providers = providers;
    this.secrets = secrets;
  }

  /** Returns a model by its choice; undefined for excerpts only, an unknown provider, or an invalid choice. */
  find(choice: ModelChoice): ProvidedModel | undefined {
    if (choice.name === undefined) return undefined;
    return this.#providers.find(({ kind }) => kind === choice.kind)?.model(choice);
  }

  /** Reports whether two choices are the same model. */
  isSame(a: ModelChoice, b: ModelChoice): boolean {
    return a.kind === b.kind && this.find(a)?.id === this.find(b)?.id;
  }

  /** Returns all servers, and that of the current model, which may have been removed since it was picked. */
  servers(current: ModelChoice = { kind: 'quotes' }): readonly ModelServer[] {
    const listed = this.#providers.flatMap((provider) => provider.servers());
    const server = this.find(current)?.server;
    return server === undefined || listed.some((candidate) => isSameServer(candidate, server))
      ? listed
      : [...listed, server];
  }

  /** Returns the server at a URL, by its name or else the first one; undefined if no provider supports the URL. */
  serverAt(place: ServerPlace): ModelServer | undefined {
    const servers = this.servers().filter(({ address }) => address === place.address);
    return (
      servers.find(({ name }) => name === place.name) ??
      servers[0] ??
      this.#providers.map((provider) => provider.serverAt?.(place)).find((server) => server !== undefined)
    );
  }

  /** Returns a model by its name in the settings; undefined if the name is that of no provider's model. */
  modelInSetting(settingName: string): ProvidedChoice | undefined {
    return this.#providers
      .map((provider) => provider.modelInSetting(settingName))
      .find((choice) => choice !== undefined);
  }

  /** Returns the function of a URL's server that embeds texts. @throws NotebookError `unsupported` */
  embedding(address: string): NonNullable<ModelServer['embed']> {
    const embed = this.serverAt({ address })?.embed;
    if (embed !== undefined) return embed;
    throw unsupportedError(
      t('{0} can’t generate embeddings. Choose another embedding model.', hostOf(address)),
    );
  }

  /** Returns the function of a URL's server that generates speech. @throws NotebookError `unsupported` */
  speech(address: string): NonNullable<ModelServer['speak']> {
    const speak = this.serverAt({ address })?.speak;
    if (speak !== undefined) return speak;
    throw unsupportedError(
      t('{0} can’t generate speech. Choose another text-to-speech model.', hostOf(address)),
    );
  }

  /** Returns the function of a URL's server that transcribes audio. @throws NotebookError `unsupported` */
  transcription(address: string): NonNullable<ModelServer['transcribe']> {
    const transcribe = this.serverAt({ address })?.transcribe;
    if (transcribe !== undefined) return transcribe;
    throw unsupportedError(
      t('{0} can’t transcribe recordings. Choose another speech-to-text model.', hostOf(address)),
    );
  }
}

/** Reports whether two places are the same server. */
export function isSameServer(a: ServerPlace | undefined, b: ServerPlace): boolean {
  return a?.address === b.address && a.name === b.name;
}

/** Returns the host of a URL, or else all of it. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

function unsupportedError(message: string): NotebookError {
  return new NotebookError('unsupported', message, { action: 'openSettings' });
}
