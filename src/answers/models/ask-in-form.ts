import * as v from 'valibot';
import { markdownLines } from '../../core/language/markdown-lines.ts';
import { estimateTokens } from '../../core/language/tokens.ts';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import { errorMessage, throwIfCanceled } from '../../core/domain/errors.ts';
import type { RecordedRequest } from '../../core/domain/recorded-request.ts';
import { limitPieces, untilAborted } from './bounded-pieces.ts';
import type { ChatMessage, LanguageModel, ReportedUsage } from './language-model.ts';
import { withoutThinking } from './without-thinking.ts';

/** Maximum length of a reply without the reasoning, in UTF-16 code units. A longer one never ends. */
const MAX_REPLY_LENGTH = 60_000;
const MAX_REASONING_LENGTH = 200_000;
/** Maximum depth and size of JSON from a model. */
const JSON_BOUNDS = { depth: 12, values: 20_000 };
/** Maximum number of corrections that a model gets for an invalid reply. */
const MAX_CORRECTIONS = 2;

/** Model to query, and the recorder of the request. */
export interface PlanningRequest {
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
  readonly record: (request: RecordedRequest) => void;
  /** Purpose of the request, for the activity log. */
  readonly purpose: string;
  readonly mostTokens?: number | undefined;
}

/**
 * Returns the reply of a model, without its reasoning. Records the request whatever its result. Rejects with the
 * model's error, and immediately if canceled, even if the model ignores that.
 */
export async function askModel(
  { model, signal, record, purpose, mostTokens }: PlanningRequest,
  messages: readonly ChatMessage[],
): Promise<string> {
  const started = Date.now();
  const stop = new AbortController();
  let reply = '';
  const restart = (): void => {
    reply = '';
  };
  let reportedUsage: ReportedUsage | undefined;
  let error: string | undefined;
  try {
    const pieces = model.stream(messages, {
      signal: AbortSignal.any([signal, stop.signal]),
      temperature: 0,
      acceptsPartial: true,
      ...(mostTokens !== undefined && { mostTokens }),
      onUsage: (usage) => {
        reportedUsage = usage;
      },
    });
    for await (const piece of withoutThinking(
      limitPieces(untilAborted(pieces, signal), MAX_REASONING_LENGTH),
      restart,
    )) {
      reply += piece;
      if (reply.length >= MAX_REPLY_LENGTH) break;
    }
    return reply;
  } catch (cause) {
    error = errorMessage(cause);
    throwIfCanceled(signal);
    throw cause;
  } finally {
    // Stop the model if its reply wasn't read to the end.
    stop.abort();
    record({
      kind: 'request',
      purpose,
      model: model.name,
      messages: messages.map(({ role, content }) => ({ role, content })),
      reply,
      input: reportedUsage?.input ?? messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
      output: reportedUsage?.output ?? estimateTokens(reply),
      time: Date.now() - started,
      ...(error !== undefined && { error }),
    });
  }
}

/** Parsed value of a reply, or a description of the problem for the model. */
export type Understood<T> = { readonly value: T } | { readonly wrong: string };

/**
 * Requests a reply in a certain form. If the form is wrong, explains the problem to the model, at most twice.
 * Resolves with the last problem if the reply is never valid.
 */
export async function askForForm<T>(
  request: PlanningRequest,
  messages: readonly ChatMessage[],
  understand: (reply: string) => Understood<T>,
): Promise<Understood<T>> {
  let understood: Understood<T> = { wrong: '' };
  let before: readonly ChatMessage[] = [];
  for (let corrections = 0; corrections <= MAX_CORRECTIONS; corrections++) {
    const reply = await askModel(request, [...messages, ...before]);
    understood = understand(reply);
    if ('value' in understood) break;
    before = [
      { role: 'assistant', content: shortenReply(reply) },
      {
        role: 'user',
        content: `That could not be used: ${understood.wrong}\nReply again, with the JSON in one fenced block and nothing else.`,
      },
    ];
  }
  return understood;
}

/** Maximum length of an unusable reply when shown to the model, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 4_000;

function shortenReply(reply: string): string {
  if (reply.trim() === '') return '(nothing)';
  return reply.length > MAX_SHOWN_LENGTH ? `${reply.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : reply;
}

/**
 * Parses the JSON of a reply: from a fenced block, else from the first bracket to the last. Undefined if none can be
 * parsed.
 */
export function jsonIn(reply: string): unknown {
  const fenced = fencedBlocks(reply);
  const open = reply.search(/[{[]/);
  const close = Math.max(reply.lastIndexOf('}'), reply.lastIndexOf(']'));
  const whole = open >= 0 && close > open ? [reply.slice(open, close + 1)] : [];
  for (const text of [...fenced, ...whole]) {
    try {
      const value = parseBounded(text, JSON_BOUNDS);
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // Another block may contain valid JSON, or the reply may consist of lines.
    }
  }
  return undefined;
}

/** Maximum number of blocks that are searched for JSON. */
const MAX_BLOCKS = 20;

/** Returns the contents of fenced blocks, last first, because models think aloud before the result. */
function fencedBlocks(reply: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  for (const { kind, start, end } of markdownLines(reply)) {
    if (kind === 'opening') block = [];
    else if (kind === 'code') block.push(reply.slice(start, end));
    else if (kind === 'closing') blocks.push(block.join('\n'));
  }
  return blocks.slice(-MAX_BLOCKS).reverse();
}

/**
 * Describes how a value violates a schema, in a few words each: `steps.2.target: Expected string but received null`.
 */
export function issuesIn(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, 5)
    .map((issue) => {
      const path = v.getDotPath(issue);
      return `${path ?? 'the whole'}: ${issue.message}`;
    })
    .join('; ');
}
