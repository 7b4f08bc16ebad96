import * as vscode from 'vscode';
import type { NamedEndpoint } from '../notebook/endpoint.ts';
import { parseEndpoints } from '../notebook/endpoint.ts';
import type { ModelChoice } from '../notebook/model-choice.ts';
import type { EmbeddingModel, PassageSettings } from '../notebook/settings.ts';
import type { PaceSettings } from '../reading/sites/pace.ts';

const section = 'openNotebook';

function get<T>(key: string, fallback: T): T {
  return vscode.workspace.getConfiguration(section).get<T>(key, fallback);
}

/** A whole number within bounds, whatever the user's settings.json says. */
function getInteger(key: string, fallback: number, least: number, most: number): number {
  const value = Math.round(Number(get<unknown>(key, fallback)));
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : fallback;
}

export function passageSettings(): PassageSettings {
  const size = getInteger('passages.size', 1500, 500, 5000);
  return { size, overlap: getInteger('passages.overlap', 50, 0, 500) };
}

/** How many passages are read for an answer. */
export function passagesPerAnswer(): number {
  return getInteger('answer.passages', 8, 1, 50);
}

/** Pages, PDFs and pasted texts with fewer characters are refused. */
export function minimumLength(): number {
  return getInteger('sources.minimumLength', 100, 1, 10_000);
}

/** How the hosts of sites are asked. */
export function sitePace(): PaceSettings {
  return {
    requestsAtOnce: getInteger('sites.requestsAtOnce', 2, 1, 8),
    pause: getInteger('sites.pause', 500, 0, 60_000),
  };
}

/** The model of the settings; undefined while they name none. */
export function modelSettings(): Extract<ModelChoice, { kind: 'endpoint' }> | undefined {
  const name = get('model.name', '').trim();
  return name === '' ? undefined : { kind: 'endpoint', name, baseUrl: baseUrl() };
}

/** How freely a model words its answers, 0 to 2. */
export function temperature(): number {
  return Number(get<unknown>('model.temperature', 0.2)) || 0;
}

/** The user's instructions for the model; '' for the built-in ones. */
export function instructions(): string {
  return get('model.instructions', '').trim();
}

/** OpenAI-compatible endpoints, in the order and by the names that the user gave them. */
export function endpoints(): readonly NamedEndpoint[] {
  return parseEndpoints(get<unknown>('endpoints', {}));
}

/** Writes an endpoint under a name into the user's settings, in place of what stands there under this or another one. */
export async function putEndpoint(name: string, endpoint: unknown, instead: string = name): Promise<void> {
  const entry: Entry = [name, endpoint];
  await changeEndpoints((kept) =>
    kept.some(([old]) => old === instead)
      ? kept.map((old) => (old[0] === instead ? entry : old))
      : [...kept, entry],
  );
}

/** What the user's settings say of an endpoint, as it stands there. */
export function rawEndpoint(name: string): unknown {
  return get<Readonly<Record<string, unknown>>>('endpoints', {})[name];
}

export async function removeEndpoint(name: string): Promise<void> {
  await changeEndpoints((kept) => kept.filter(([one]) => one !== name));
}

type Entry = readonly [name: string, endpoint: unknown];

async function changeEndpoints(change: (kept: readonly Entry[]) => readonly Entry[]): Promise<void> {
  const kept = Object.entries(get<Readonly<Record<string, unknown>>>('endpoints', {}));
  await vscode.workspace
    .getConfiguration(section)
    .update('endpoints', Object.fromEntries(change(kept)), vscode.ConfigurationTarget.Global);
}

export function baseUrl(): string {
  return get('model.baseUrl', '').trim() || 'https://api.openai.com/v1';
}

/** Undefined while passages are found by their words alone. */
export function embeddingModel(): EmbeddingModel | undefined {
  const name = get('embeddings.model', '').trim();
  const address = get('embeddings.baseUrl', '').trim() || 'https://api.openai.com/v1';
  return name === '' ? undefined : { name, baseUrl: address };
}

/** US dollars for a million tokens; 0 where the user gave none. */
export function embeddingPrice(): number {
  return Math.max(0, Number(get<unknown>('embeddings.price', 0)) || 0);
}

export function onDidChange(keys: string, listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.${keys}`)) listener();
  });
}
