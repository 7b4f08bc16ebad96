import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Handlers, Report } from '../../../core/rpc/rpc.ts';
import { estimateTokens } from '../../../core/language/tokens.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { compareVersions, type DocumentVersion, type ArtifactScope } from '../../../core/domain/artifact.ts';
import type { Since } from '../../../core/domain/template.ts';
import type { WritingPlan, PlannedPart } from '../../../core/domain/writing.ts';
import type { GenerationCache } from './generation-cache.ts';
import { splitDocument } from '../../../index/documents/splitter.ts';
import { sourcesLine, type Listed, type Artifacts } from './artifacts.ts';
import { pausing } from '../../../core/rpc/pausing.ts';
import type { GenerationProgress, WritingApi } from './artifacts-api.ts';

/** Length of passages that models read and cite, in UTF-16 code units. */
const SIZE_OF_PASSAGE = 1_500;
/** Extra tokens for the text around each passage in a prompt. */
const TOKENS_AROUND = 40;

/** Passage to read. */
interface Unit {
  /** Position among all passages. */
  readonly index: number;
  readonly listed: Listed;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

interface PlanRequest extends ArtifactScope {
  readonly task: string;
  readonly since?: Since | undefined;
  readonly tokens: number;
}

/** Planner that splits text for models, which read all of it, into parts, and stores their notes. */
export class WritingPlans {
  readonly parts: GenerationCache;
  readonly #artifacts: Artifacts;

  constructor(parts: GenerationCache, artifacts: Artifacts) {
    this.parts = parts;
    this.#artifacts = artifacts;
  }

  /**
   * Splits the documents into parts of about `tokens` tokens each. Saved parts stay as they are, so that a changed,
   * added, or removed document shifts no others.
   * @throws NotebookError `empty`, `not-found`
   */
  async plan(
    { task, since, tokens, ...scope }: PlanRequest,
    { signal, report }: { readonly signal: AbortSignal; readonly report: Report<GenerationProgress> },
  ): Promise<WritingPlan> {
    const { listed, left } = this.#artifacts.listDocuments(scope);
    const { read, earlier } = this.#findChanges(listed, since);
    const pause = pausing(signal);
    const units: Unit[] = [];
    for (const [done, one] of read.entries()) {
      await pause(() => report({ done, total: read.length }));
      const document = this.#artifacts.document(one);
      for (const { start, end } of splitDocument(document, { size: SIZE_OF_PASSAGE, overlap: 0 }))
        units.push({
          ...{ index: units.length, listed: one, start, end },
          tokens: estimateTokens(document.text.slice(start, end)) + TOKENS_AROUND,
        });
    }
    if (units.length === 0)
      throw new NotebookError('empty', t('These sources have no text to write about. Select other sources.'));
    return {
      parts: this.#pack(units, task, tokens),
      documents: listed.map(({ documentId, hash }) => ({ documentId, hash })),
      sources: sourcesLine(listed, left),
      earlier,
    };
  }

  /** Returns the documents that are new or changed since a given time, and the previous text. */
  #findChanges(
    listed: readonly Listed[],
    since: Since | undefined,
  ): { readonly read: readonly Listed[]; readonly earlier: string } {
    if (since === undefined) return { read: listed, earlier: '' };
    if (since.kind === 'time') {
      const read = listed.filter(({ readAt }) => readAt > since.at);
      if (read.length === 0)
        throw new NotebookError('empty', t('Nothing in these sources has changed since then.'));
      return { read, earlier: '' };
    }
    const generated = this.#artifacts.generatedNotes.find(since.title);
    if (generated === undefined)
      throw new NotebookError(
        'not-found',
        t(
          'Can’t find the changes because the note “{0}” no longer exists. Choose another note or a date.',
          since.title,
        ),
      );
    const before = new Map(generated.documents.map(({ documentId, hash }) => [documentId, hash]));
    const read = listed.filter(({ documentId, hash }) => before.get(documentId) !== hash);
    if (read.length === 0) {
      const { removed } = compareVersions(generated.documents, listed);
      throw new NotebookError(
        'empty',
        removed > 0
          ? t(
              'Sources were removed since “{0}” was generated, but the other sources haven’t changed.',
              since.title,
            )
          : t('Nothing in these sources has changed since “{0}” was generated.', since.title),
      );
    }
    return { read, earlier: generated.text };
  }

  #pack(units: readonly Unit[], task: string, limit: number): PlannedPart[] {
    const byPlace = new Map(units.map((unit) => [unitPlace(unit), unit]));
    const packs: { readonly key?: string; readonly units: readonly Unit[] }[] = [];
    const packedUnits = new Set<Unit>();
    for (const { key, places } of this.parts.list(task)) {
      const own = places.flatMap(({ documentId, span }) => byPlace.get(keyOfPlace(documentId, span)) ?? []);
      if (own.length < places.length || own.some((unit) => packedUnits.has(unit))) continue;
      for (const unit of own) packedUnits.add(unit);
      packs.push({ key, units: own });
    }
    let open: Unit[] = [];
    let filled = limit;
    const begin = (): void => {
      packs.push({ units: (open = []) });
      filled = 0;
    };
    for (const group of byDocument(units.filter((unit) => !packedUnits.has(unit)))) {
      const groupTokens = group.reduce((sum, { tokens }) => sum + tokens, 0);
      // Don't split a document that fits into a part.
      if (groupTokens <= limit && filled + groupTokens > limit) begin();
      for (const unit of group) {
        if (filled + unit.tokens > limit) begin();
        open.push(unit);
        filled += unit.tokens;
      }
    }
    return packs
      .toSorted((a, b) => (a.units[0]?.index ?? 0) - (b.units[0]?.index ?? 0))
      .map(({ units: own, key }) => planPart(own, key));
  }
}

function planPart(units: readonly Unit[], key: string | undefined): PlannedPart {
  const documents = new Map(units.map(({ listed }) => [listed.documentId, listed]));
  const [first, ...others] = [...documents.values()].map(({ title }) => title);
  const places = units.map(({ listed: { documentId }, start, end }) => ({
    documentId,
    span: { start, end },
  }));
  const versions: DocumentVersion[] = [...documents.values()].map(({ documentId, hash }) => ({
    documentId,
    hash,
  }));
  return {
    key:
      key ??
      createHash('sha256')
        .update(JSON.stringify([versions, places]))
        .digest('hex')
        .slice(0, 32),
    title: others.length === 0 ? (first ?? '') : t('{0} and {1} more', first ?? '', others.length),
    documents: versions,
    places,
    tokens: units.reduce((sum, { tokens }) => sum + tokens, 0),
    isSaved: key !== undefined,
  };
}

function unitPlace({ listed: { documentId }, start, end }: Unit): string {
  return keyOfPlace(documentId, { start, end });
}

function keyOfPlace(
  documentId: number,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return [documentId, start, end].join(' ');
}

function byDocument(units: readonly Unit[]): Unit[][] {
  const groups: Unit[][] = [];
  for (const unit of units) {
    const open = groups.at(-1);
    if (open?.[0]?.listed.documentId === unit.listed.documentId) open.push(unit);
    else groups.push([unit]);
  }
  return groups;
}

/** Returns the index worker's handlers for writings of the open notebook. */
export function writingHandlers(notebook: () => { readonly writings: WritingPlans }): Handlers<WritingApi> {
  return {
    planWriting: (params, context) => notebook().writings.plan(params, context),
    partNotes: ({ task, key }) => notebook().writings.parts.find(task, key),
    keepPart: ({ task, ...part }) => notebook().writings.parts.keep(task, part),
    forgetParts: ({ task }) => notebook().writings.parts.forget(task),
    unfinishedWritings: () => notebook().writings.parts.listUnfinished(),
    keepUnfinished: (writing) => notebook().writings.parts.keepUnfinished(writing),
    endUnfinished: ({ title }) => notebook().writings.parts.endUnfinished(title),
  };
}
