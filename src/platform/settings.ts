import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { parseEndpoints, type NamedEndpoint } from '../core/domain/endpoint.ts';
import { errorMessage, NotebookError } from '../core/domain/errors.ts';
import type { ProvidedChoice } from '../core/domain/model-choice.ts';
import type { FeatureLimits } from '../features/types.ts';
import type { EmbeddingModel, IndexSettings, PassageSettings } from '../core/domain/settings.ts';
import type { SuggestingModels } from '../core/domain/suggestions.ts';
import type { VerdictMarkStyle } from '../core/domain/verdict-marks.ts';
import type { PaceSettings } from '../parsers/sites/pace.ts';

const SECTION = 'openNotebook';

function get<T>(key: string, fallback: T): T {
  return vscode.workspace.getConfiguration(SECTION).get<T>(key, fallback);
}

/** Returns an integer setting within its limits, whatever the user's settings.json contains. */
function getInteger(key: string, fallback: number, minimum: number, limit: number): number {
  const value = Math.round(Number(get<unknown>(key, fallback)));
  return Number.isFinite(value) ? Math.min(limit, Math.max(minimum, value)) : fallback;
}

/**
 * Returns how documents are split: the size of a passage and its overlap with the previous one, in UTF-16 code units.
 */
export function passageSettings(): PassageSettings {
  const size = getInteger('passages.size', 1500, 500, 5000);
  return { size, overlap: getInteger('passages.overlap', 50, 0, 500) };
}

/** Returns the settings of the index of notebooks. */
export function indexSettings(): IndexSettings {
  const citationKeys = String(get<unknown>('bibliography.citationKeys', ''));
  return { ...passageSettings(), citationKeys };
}

/** Returns how many tokens of the sources a model reads for an answer; undefined to fit the model. */
export function tokensPerAnswer(): number | undefined {
  return getInteger('answer.tokens', 0, 0, 1_000_000) || undefined;
}

/** Returns the default limits and options of research projects. */
export function researchLimits(): FeatureLimits {
  const bound = (key: string, factor = 1): number | undefined => {
    const value = Number(get<unknown>(`research.${key}`, 0));
    return Number.isFinite(value) && value > 0 ? value * factor : undefined;
  };
  return {
    bounds: {
      dollars: bound('dollars'),
      tokens: bound('tokens'),
      time: bound('minutes', 60_000),
      requests: bound('requests'),
      toolCalls: bound('toolCalls'),
    },
    options: {
      approves: get<unknown>('research.approvePlan', true) !== false,
      keepsUnsupported: get<unknown>('research.keepUnsupported', false) === true,
      workers: getInteger('research.workers', 2, 1, 8),
      tools: [],
    },
  };
}

/** Reports whether a model rewrites the question into searches before it answers. */
export function writesSearches(): boolean {
  return get<unknown>('answer.searches', true) !== false;
}

/** Reports whether a model checks every answer. */
export function checksWithModel(): boolean {
  return get<unknown>('answer.check', true) !== false;
}

/** Returns the name of the model that checks answers; empty for the model that writes them. */
export function factCheckModel(): string {
  return get('answer.checkModel', '').trim();
}

/** Saves the model that checks answers in the user's settings. */
export async function setFactCheckModel(name: string): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration(SECTION).update('answer.checkModel', name || undefined, Global);
}

/** Returns how copies, notes, and exports mark the verdicts of the fact check. */
export function verdictMarkStyle(): VerdictMarkStyle {
  return get<unknown>('answer.verdictMarks', 'inline') === 'footnote' ? 'footnote' : 'inline';
}

/** Returns which models may suggest questions. */
export function suggestingModels(): SuggestingModels {
  const set = get<unknown>('answer.suggestions', 'free');
  return set === 'always' || set === 'never' ? set : 'free';
}

/** Reports whether models see the figures that a question needs. */
export function showsFigures(): boolean {
  return get<unknown>('answer.figures', true) !== false;
}

/** Number of tokens of a passage, to convert the former setting. */
const TOKENS_OF_PASSAGE = 375;

/** Migrates the former passage count, in every settings scope, to the token count that replaced it. */
export async function moveFormerSettings(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const former = configuration.inspect<unknown>('answer.passages');
  const places = [
    [former?.globalValue, vscode.ConfigurationTarget.Global],
    [former?.workspaceValue, vscode.ConfigurationTarget.Workspace],
  ] as const;
  for (const [passages, target] of places) {
    if (passages === undefined) continue;
    if (typeof passages === 'number' && passages > 0)
      await configuration.update('answer.tokens', Math.round(passages * TOKENS_OF_PASSAGE), target);
    await configuration.update('answer.passages', undefined, target);
  }
}

/** Returns the minimum number of characters in pages, PDFs, and pasted texts. */
export function minimumLength(): number {
  return getInteger('sources.minimumLength', 100, 1, 10_000);
}

/** Reports whether text recognition runs on scanned pages and images. */
export function recognizesText(): boolean {
  return get<unknown>('recognition.enabled', true) !== false;
}

/** Returns the request rate for the hosts of sites. */
export function sitePace(): PaceSettings {
  return {
    requestsAtOnce: getInteger('sites.requestsAtOnce', 2, 1, 8),
    pause: getInteger('sites.pause', 500, 0, 60_000),
  };
}

/** Returns the model in the settings; undefined if they name none. */
export function modelSettings(): ProvidedChoice | undefined {
  const name = get('model.name', '').trim();
  return name === '' ? undefined : { kind: 'endpoint', name, baseUrl: baseUrl() };
}

/** Returns the temperature of models that write answers, 0 to 2. */
export function temperature(): number {
  return Number(get<unknown>('model.temperature', 0.2)) || 0;
}

/** Returns the user's instructions for the model; '' for the built-in ones. */
export function instructions(): string {
  return get('model.instructions', '').trim();
}

/** Returns the OpenAI-compatible endpoints, in the order and with the names of the user's settings. */
export function endpoints(): readonly NamedEndpoint[] {
  return parseEndpoints(get<unknown>('endpoints', {}));
}

/** Writes an endpoint to the user's settings, in place of the entry with this name or the name `instead`. */
export async function putEndpoint(name: string, endpoint: unknown, instead: string = name): Promise<void> {
  const entry: Entry = [name, endpoint];
  await changeEndpoints((entries) =>
    entries.some(([old]) => old === instead)
      ? entries.map((old) => (old[0] === instead ? entry : old))
      : [...entries, entry],
  );
}

/** Returns the unparsed entry of an endpoint in the user's settings. */
export function rawEndpoint(name: string): unknown {
  return get<Readonly<Record<string, unknown>>>('endpoints', {})[name];
}

/** Removes an endpoint from the user's settings, by its name. */
export async function removeEndpoint(name: string): Promise<void> {
  await changeEndpoints((entries) => entries.filter(([one]) => one !== name));
}

type Entry = readonly [name: string, endpoint: unknown];

async function changeEndpoints(change: (entries: readonly Entry[]) => readonly Entry[]): Promise<void> {
  await retryWrite(async () => {
    const entries = Object.entries(get<Readonly<Record<string, unknown>>>('endpoints', {}));
    await vscode.workspace
      .getConfiguration(SECTION)
      .update('endpoints', Object.fromEntries(change(entries)), vscode.ConfigurationTarget.Global);
  });
}

/** Returns the URL of the endpoint without a name, by default OpenAI's. */
export function baseUrl(): string {
  return get('model.baseUrl', '').trim() || 'https://api.openai.com/v1';
}

/** Returns the endpoint's embedding model; undefined if none is set. */
export function embeddingModel(): EmbeddingModel | undefined {
  const name = get('embeddings.model', '').trim();
  const address = get('embeddings.baseUrl', '').trim() || 'https://api.openai.com/v1';
  return name === '' ? undefined : { name, baseUrl: address };
}

/** Returns the text-to-speech model and its endpoint; undefined if none is set. */
export function speechModel(): { readonly name: string; readonly baseUrl: string } | undefined {
  const [name, baseUrl] = [get('speech.model', '').trim(), get('speech.baseUrl', '').trim()];
  return name === '' || baseUrl === '' ? undefined : { name, baseUrl };
}

/** Sets the text-to-speech model for all windows. */
export async function setSpeechModel(name: string, baseUrl: string): Promise<void> {
  await writeText('speech.baseUrl', baseUrl);
  await writeText('speech.model', name);
}

/** Returns the speech-to-text model and its endpoint; undefined if none is set. */
export function transcriptionModel(): { readonly name: string; readonly baseUrl: string } | undefined {
  const [name, baseUrl] = [get('transcription.model', '').trim(), get('transcription.baseUrl', '').trim()];
  return name === '' || baseUrl === '' ? undefined : { name, baseUrl };
}

/** Sets the speech-to-text model for all windows. */
export async function setTranscriptionModel(name: string, baseUrl: string): Promise<void> {
  await writeText('transcription.baseUrl', baseUrl);
  await writeText('transcription.model', name);
}

/** Returns the price of transcription in US dollars per minute; 0 if it's unknown. */
export function transcriptionPrice(): number {
  return Math.max(0, Number(get<unknown>('transcription.price', 0)) || 0);
}

/** Returns the endpoint's names of the voices, in the order in which the speakers first speak. */
export function speechVoices(): readonly string[] {
  const named = get('speech.voices', '')
    .split(/[,，;、]/)
    .map((voice) => voice.trim())
    .filter((voice) => voice !== '');
  return named.length === 0 ? ['alloy', 'onyx'] : named;
}

/** Removes the embedding endpoint from the settings, because a local model replaces it. */
export async function forgetEmbeddingEndpoint(): Promise<void> {
  await writeText('embeddings.model', undefined);
}

/** Returns the local embedding model; '' for none. An endpoint's model takes precedence. */
export function meaningModel(): string {
  return get('meaning.model', '').trim();
}

/** Sets the local embedding model for all windows; undefined for none. */
export async function setMeaningModel(name: string | undefined): Promise<void> {
  await writeText('meaning.model', name);
}

/** Maximum attempts to write a setting that another window writes at the same time, and the pause in milliseconds. */
const MAX_WRITES = 5;
const WRITE_PAUSE_MS = 400;

/**
 * Writes a text to the user's settings, unless they contain it already.
 * @throws NotebookError `conflict` as `retryWrite` does
 */
async function writeText(key: string, text: string | undefined): Promise<void> {
  await retryWrite(async () => {
    if (get<unknown>(key, '') !== (text ?? ''))
      await vscode.workspace.getConfiguration(SECTION).update(key, text, vscode.ConfigurationTarget.Global);
  });
}

/**
 * Repeats a write of settings that fails because another window writes at the same moment. Each attempt has to read the
 * settings first, because the other window may have made the same change.
 * @throws NotebookError `conflict` with the editor's reason: a collision, or the user, may have left settings.json
 * unsaved
 */
async function retryWrite(write: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      await write();
      return;
    } catch (error) {
      if (tried === MAX_WRITES) throw new NotebookError('conflict', errorMessage(error), { cause: error });
      await sleep(WRITE_PAUSE_MS);
    }
}

/** Returns the origin of local embedding models: a web URL or a folder on this machine. */
export function meaningAddress(): string {
  return get('meaning.address', '').trim() || 'https://huggingface.co';
}

/** Returns Tesseract's codes of the languages of text recognition. */
export function recognitionLanguages(): readonly string[] {
  return readCodes(get<unknown>('recognition.languages', [])) ?? [];
}

/** Returns the origin of a language: a web URL or a file on this machine, with `{language}` for its code. */
export function recognitionAddress(): string {
  const key = 'recognition.languageAddress';
  const { defaultValue = '' } = vscode.workspace.getConfiguration(SECTION).inspect<string>(key) ?? {};
  return get(key, '').trim() || defaultValue;
}

/**
 * Changes the languages in the effective settings: the workspace's if it has its own, else the user's; in both if
 * `isEverywhere`. Reads the settings again afterward, because another window may have overwritten the change. So
 * `change` must be repeatable.
 */
export async function changeRecognitionLanguages(
  change: (codes: readonly string[]) => readonly string[],
  isEverywhere = false,
): Promise<void> {
  const key = 'recognition.languages';
  for (let tried = 1; ; tried++) {
    const configuration = vscode.workspace.getConfiguration(SECTION);
    const { defaultValue, globalValue, workspaceValue } = configuration.inspect<unknown>(key) ?? {};
    const own = readCodes(workspaceValue);
    const places = [
      ...(own === undefined ? [] : ([[own, vscode.ConfigurationTarget.Workspace]] as const)),
      ...(own !== undefined && !isEverywhere
        ? []
        : ([
            [readCodes(globalValue) ?? readCodes(defaultValue) ?? [], vscode.ConfigurationTarget.Global],
          ] as const)),
    ];
    const open = places.filter(([codes]) => String(change(codes)) !== String(codes));
    if (open.length === 0) return;
    try {
      for (const [codes, target] of open) await configuration.update(key, change(codes), target);
    } catch (error) {
      if (tried === MAX_WRITES) throw error;
    }
    if (tried === MAX_WRITES) return;
    await sleep(WRITE_PAUSE_MS);
  }
}

function readCodes(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((code) => typeof code === 'string') : undefined;
}

/** Returns the path of a CSL style, empty for the built-in one, and whether the workspace set it rather than the user. */
export function citationStyle(): { readonly path: string; readonly isOfWorkspace: boolean } {
  const key = 'export.citationStyle';
  const { workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration(SECTION).inspect<unknown>(key) ?? {};
  const isOfWorkspace = workspaceValue !== undefined || workspaceFolderValue !== undefined;
  return { path: String(get<unknown>(key, '')).trim(), isOfWorkspace };
}

/** Returns the URL below which DOIs are looked up. */
export function workAddress(): string {
  const key = 'bibliography.lookUpAddress';
  const { defaultValue = '' } = vscode.workspace.getConfiguration(SECTION).inspect<string>(key) ?? {};
  return get(key, '').trim() || defaultValue;
}

/** Returns the price in US dollars for a million tokens; 0 if the user set none. */
export function embeddingPrice(): number {
  return Math.max(0, Number(get<unknown>('embeddings.price', 0)) || 0);
}

/** Calls a listener when a setting, or one below it, changes; `keys` is its name without `openNotebook.`. */
export function onDidChange(keys: string, listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${SECTION}.${keys}`)) listener();
  });
}
