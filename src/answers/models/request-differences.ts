import { APIError, type OpenAI } from 'openai';
import type { ChatMessage, ModelTool } from './language-model.ts';

/** Roles for the instructions, in the order of attempts. */
const INSTRUCTED = ['system', 'developer', 'user'] as const;

/** Differences from the usual requests to a model, learned from the endpoint's refusals. */
export interface RequestDifferences {
  readonly instructions: (typeof INSTRUCTED)[number];
  readonly takesTemperature: boolean;
  readonly tellsUsage: boolean;
  readonly streams: boolean;
  readonly takesImages: boolean;
  readonly takesTools: boolean;
  readonly lengthLimit: 'max_completion_tokens' | 'max_tokens' | 'none';
}

/** Known differences of models by name, for the lifetime of the window. */
export type KnownDifferences = Map<string, RequestDifferences>;

export const NO_DIFFERENCES: RequestDifferences = {
  instructions: 'system',
  takesTemperature: true,
  tellsUsage: true,
  streams: true,
  takesImages: true,
  takesTools: true,
  lengthLimit: 'max_tokens',
};

/** Maximum number of refusals of a request for parts that can be changed. */
export const MAX_DIFFERENCES = 8;

export interface RequestParts {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly temperature?: number | undefined;
  /** Maximum tokens of the reply. */
  readonly mostTokens?: number | undefined;
  readonly tools?: readonly ModelTool[] | undefined;
}

/** Returns the body of a request, apart from streaming. */
export function requestBody(
  { model, messages, temperature, mostTokens, tools = [] }: RequestParts,
  differences: RequestDifferences,
): Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'> {
  const { instructions, takesTemperature, takesImages, lengthLimit } = differences;
  return {
    model,
    messages: addInstructions(takesImages ? messages : messages.map(withoutImages), instructions),
    ...(takesTemperature && temperature !== undefined && { temperature }),
    ...(lengthLimit !== 'none' && mostTokens !== undefined && { [lengthLimit]: mostTokens }),
    ...(tools.length > 0 && { tools: tools.map(toFunction) }),
  };
}

/**
 * Returns the differences for the next attempt after a refusal; undefined if the refusal doesn't mention a sent part
 * that can be changed. Depends on the endpoint's message, never on the model's name.
 */
export function differenceIn(
  error: unknown,
  sent: object,
  savedDifferences: RequestDifferences,
): RequestDifferences | undefined {
  if (!(error instanceof APIError)) return undefined;
  const { message, param } = error;
  const status = Number(error.status);
  const isRefusal = status === 400 || status === 422;
  // A server whose template fails on a role reports that with status 500.
  if (isRefusal || status === 500) {
    if (
      /roles must alternate|only user and assistant/i.test(message) &&
      savedDifferences.instructions !== 'user'
    )
      return { ...savedDifferences, instructions: 'user' };
    const next = INSTRUCTED[INSTRUCTED.indexOf(savedDifferences.instructions) + 1];
    if (
      /\b(?:system|developer)\b/i.test(message) &&
      /\b(?:role|instruction)/i.test(message) &&
      next !== undefined
    )
      return { ...savedDifferences, instructions: next };
  }
  // Some servers have a status of their own for tools: no model supports them, or the template fails on them.
  if ('tools' in sent && status >= 400 && status !== 401 && status !== 403 && status !== 429) {
    const speaksOfTools =
      param?.startsWith('tool') === true || /\b(?:tools?|functions?)\b|tool[_-]/i.test(message);
    if (speaksOfTools && savedDifferences.streams && /\bstream(?:ing)?\b/i.test(message))
      return { ...savedDifferences, streams: false };
    if (speaksOfTools) return { ...savedDifferences, takesTools: false };
  }
  if (!isRefusal) return withoutImagesAfter(status, message, sent, savedDifferences);
  const mentions = (name: string): boolean =>
    name in sent &&
    (param?.split('.')[0] === name || new RegExp(`(?<!\\w)${name}(?!\\w)`, 'i').test(message));
  if (mentions('stream_options') || ('stream_options' in sent && message.includes('include_usage')))
    return { ...savedDifferences, tellsUsage: false };
  if (mentions('max_tokens')) return { ...savedDifferences, lengthLimit: 'max_completion_tokens' };
  if (mentions('max_completion_tokens')) return { ...savedDifferences, lengthLimit: 'none' };
  if (mentions('temperature')) return { ...savedDifferences, takesTemperature: false };
  if (mentions('stream') || ('stream' in sent && /\bstreaming\b/i.test(message)))
    return { ...savedDifferences, streams: false };
  return withoutImagesAfter(status, message, sent, savedDifferences);
}

/** Retries a refused request without images if no other known reason applies. */
function withoutImagesAfter(
  status: number,
  message: string,
  sent: object,
  savedDifferences: RequestDifferences,
): RequestDifferences | undefined {
  if (!savedDifferences.takesImages || !holdsImages(sent)) return undefined;
  const speaksOfImages = /image|vision|multi-?\s?modal|modalit|mmproj/i.test(message);
  const isRefused = [400, 413, 415, 422].includes(status) || (speaksOfImages && status >= 400);
  return isRefused ? { ...savedDifferences, takesImages: false } : undefined;
}

function holdsImages(sent: object): boolean {
  const messages: readonly unknown[] =
    'messages' in sent && Array.isArray(sent.messages) ? sent.messages : [];
  return messages.some(
    (message) =>
      typeof message === 'object' &&
      message !== null &&
      'content' in message &&
      Array.isArray(message.content),
  );
}

function withoutImages(message: ChatMessage): ChatMessage {
  return { ...message, images: [] };
}

function toFunction({ name, description, input }: ModelTool): OpenAI.ChatCompletionFunctionTool {
  return { type: 'function', function: { name, description, parameters: { ...input } } };
}

/**
 * Returns the messages with the instructions in the role that the model accepts; for `user`, at the beginning of a
 * message.
 */
function addInstructions(
  messages: readonly ChatMessage[],
  who: RequestDifferences['instructions'],
): OpenAI.ChatCompletionMessageParam[] {
  if (who !== 'user')
    return messages.map((message) =>
      message.role === 'system' ? { role: who, content: message.content } : toParam(message),
    );
  const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest = messages.filter(({ role }) => role !== 'system');
  const first = rest.findIndex(({ role }) => role === 'user');
  return rest.map((message, i) =>
    toParam({
      ...message,
      content: i === first ? [...instructions, message.content].join('\n\n') : message.content,
    }),
  );
}

/** Converts a message; images follow the text as data URLs. */
function toParam({
  role,
  content,
  calls = [],
  resultOf,
  images = [],
}: ChatMessage): OpenAI.ChatCompletionMessageParam {
  if (role === 'assistant')
    return calls.length === 0
      ? { role, content }
      : {
          role,
          // Strict servers don't accept an empty text together with a call.
          content: content === '' ? null : content,
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: JSON.stringify(input) },
          })),
        };
  if (resultOf !== undefined) return { role: 'tool', tool_call_id: resultOf, content };
  if (images.length === 0) return { role: 'user', content };
  return {
    role: 'user',
    content: [
      { type: 'text', text: content },
      ...images.map(({ mediaType, base64 }) => ({
        type: 'image_url' as const,
        image_url: { url: `data:${mediaType};base64,${base64}` },
      })),
    ],
  };
}
