import type { ModelAbilities, ProvidedChoice } from '../../core/domain/model-choice.ts';
import type { Prices } from '../../core/domain/usage.ts';
import type { LanguageModel } from './language-model.ts';
import type { ListOptions } from './list-models.ts';
import type { EmbeddingOptions } from './openai-embeddings.ts';
import type { SpeechOptions, SpeechRequest } from './openai-speech.ts';
import type { AudioPart, PartTranscript, TranscriptionOptions } from './openai-transcription.ts';

/** Location of a server: its URL and, because several servers may share a URL, its name if it has one. */
export interface ServerPlace {
  readonly address: string;
  readonly name?: string | undefined;
}

/** Model that a server lists. */
export interface ListedModel {
  /** Choice that is stored if the user picks the model. */
  readonly choice: ProvidedChoice;
  /** Provider in the list of models. */
  readonly offeredBy: string;
  readonly abilities: ModelAbilities;
}

/** Server of a provider. Its models are listed under one heading, and its place identifies its API key. */
export interface ModelServer extends ServerPlace {
  readonly label: string;
  /** `true` if the user didn't set it up: it's listed only if it answers. */
  readonly isDetected: boolean;
  /** `true` if it's in the setting `openNotebook.endpoints`, where the user can edit it. */
  readonly isEditable: boolean;
  /** API key that the user sets; omitted if the server needs none from the user. */
  readonly key?: {
    /** `true` if the server answers no request without a key. */
    readonly isRequired: boolean;
    /** Resolves if the server accepts the key. `model` is the model to ask, else any. @throws NotebookError */
    readonly test: (model: string | undefined, options: ListOptions) => Promise<void>;
  };
  /** Returns its models. @throws NotebookError `unauthorized` if it rejects the key, and others */
  readonly list: (signal: AbortSignal) => Promise<readonly ListedModel[]>;
  /** Returns a model by the name that the user enters; omitted if only listed models can be picked. */
  readonly named?: (name: string) => ProvidedChoice;
  /** Returns the embeddings of texts as `embedTexts` does; omitted if it has no embedding models. */
  readonly embed?: (
    model: string,
    texts: readonly string[],
    options: EmbeddingOptions,
  ) => Promise<(Float32Array | null)[]>;
  /** Returns a sound file as `speak` does; omitted if it has no text-to-speech models. */
  readonly speak?: (model: string, request: SpeechRequest, options: SpeechOptions) => Promise<Uint8Array>;
  /** Returns a transcript as `transcribe` does; omitted if it has no speech-to-text models. */
  readonly transcribe?: (
    model: string,
    part: AudioPart,
    options: TranscriptionOptions,
  ) => Promise<PartTranscript>;
}

/** Model that the user picked. */
export interface ProvidedModel extends ListedModel {
  /** Equal for two choices of the same model. */
  readonly id: string;
  readonly server: ModelServer;
  /** Provider in reports of usage. */
  readonly provider: string;
  /** Name of the server in requests for consent. */
  readonly receiver: string;
  /** Kind of cost. Open Notebook asks before it checks answers with a `metered` model. */
  readonly cost: 'free' | 'metered' | 'subscription';
  readonly prices?: Prices | undefined;
  /** Name of the model in the setting `openNotebook.answer.checkModel`. */
  readonly settingName: string;
  /** @throws NotebookError `model-missing` and others */
  readonly open: () => Promise<LanguageModel>;
}

/** Provider of language models. */
export interface ModelProvider {
  /** `kind` of its choices. It is stored, so it never changes. */
  readonly kind: string;
  /** Returns the servers to list. Sends no requests. */
  servers(): readonly ModelServer[];
  /** Returns the server at any other URL; omitted if the provider has only the listed servers. */
  serverAt?(place: ServerPlace): ModelServer;
  /** Returns the model of a choice that any version stored; undefined if the choice is invalid. */
  model(choice: ProvidedChoice): ProvidedModel | undefined;
  /** Returns the model with a `settingName`; undefined if it belongs to another provider. */
  modelInSetting(settingName: string): ProvidedChoice | undefined;
}
