import { APIError, type OpenAI } from 'openai';
import type { ChatMessage, ModelTool } from './language-model.ts';

/** Who is told the instructions, in the order in which it is tried. */
const INSTRUCTED = ['system', 'developer', 'user'] as const;

/** How requests to a model differ from the usual ones, as its endpoint made known by refusing those. */
export interface RequestDifferences {
  readonly instructions: (typeof INSTRUCTED)[number];
  readonly takesTemperature: boolean;
  readonly tellsUsage: boolean;
  readonly streams: boolean;
  readonly takesImages: boolean;
  readonly takesTools: boolean;
  readonly lengthLimit: 'max_completion_tokens' | 'max_tokens' | 'none';
}

/** What is known of the models of endpoints, by their names, as long as the window lasts. */
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

/** A request may be refused so many times for something that can be left out. */
export const MOST_DIFFERENCES = 8;

export interface RequestParts {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly temperature?: number | undefined;
  /** Tokens of the reply, at most. */
  readonly mostTokens?: number | undefined;
  readonly tools?: readonly ModelTool[] | undefined;
}

/** What a request says, apart from whether it streams. */
export function requestBody(
  { model, messages, temperature, mostTokens, tools = [] }: RequestParts,
  differences: RequestDifferences,
): Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'> {
  const { instructions, takesTemperature, takesImages, lengthLimit } = differences;
  return {
    model,
    messages: instructed(takesImages ? messages : messages.map(withoutImages), instructions),
    ...(takesTemperature && temperature !== undefined && { temperature }),
    ...(lengthLimit !== 'none' && mostTokens !== undefined && { [lengthLimit]: mostTokens }),
    ...(tools.length > 0 && { tools: tools.map(toFunction) }),
  };
}

/**
 * What to do otherwise after a request was refused; undefined where the refusal speaks of nothing that was sent and
 * could be left out. What an endpoint says is read, never the model's name.
 */
export function differenceIn(
  error: unknown,
  sent: object,
  known: RequestDifferences,
): RequestDifferences | undefined {
  if (!(error instanceof APIError)) return undefined;
  const { message, param } = error;
  const status = Number(error.status);
  const isRefusal = status === 400 || status === 422;
  // A server whose template fails on a role says so as an error of its own.
  if (isRefusal || status === 500) {
    if (/roles must alternate|only user and assistant/i.test(message) && known.instructions !== 'user')
      return { ...known, instructions: 'user' };
    const next = INSTRUCTED[INSTRUCTED.indexOf(known.instructions) + 1];
    if (
      /\b(?:system|developer)\b/i.test(message) &&
      /\b(?:role|instruction)/i.test(message) &&
      next !== undefined
    )
      return { ...known, instructions: next };
  }
  // Some say it with a status of their own: that nothing was found that takes them, or that their template fails on them.
  if ('tools' in sent && status >= 400 && status !== 401 && status !== 403 && status !== 429) {
    const speaksOfTools =
      param?.startsWith('tool') === true || /\b(?:tools?|functions?)\b|tool[_-]/i.test(message);
    if (speaksOfTools && known.streams && /\bstream(?:ing)?\b/i.test(message))
      return { ...known, streams: false };
    if (speaksOfTools) return { ...known, takesTools: false };
  }
  if (!isRefusal) return withoutImagesAfter(status, message, sent, known);
  const mentions = (name: string): boolean =>
    name in sent &&
    (param?.split('.')[0] === name || new RegExp(`(?<!\\w)${name}(?!\\w)`, 'i').test(message));
  if (mentions('stream_options') || ('stream_options' in sent && message.includes('include_usage')))
    return { ...known, tellsUsage: false };
  if (mentions('max_tokens')) return { ...known, lengthLimit: 'max_completion_tokens' };
  if (mentions('max_completion_tokens')) return { ...known, lengthLimit: 'none' };
  if (mentions('temperature')) return { ...known, takesTemperature: false };
  if (mentions('stream') || ('stream' in sent && /\bstreaming\b/i.test(message)))
    return { ...known, streams: false };
  return withoutImagesAfter(status, message, sent, known);
}

/** A request with images is tried without them where it was refused for nothing else that is known. */
function withoutImagesAfter(
  status: number,
  message: string,
  sent: object,
  known: RequestDifferences,
): RequestDifferences | undefined {
  if (!known.takesImages || !holdsImages(sent)) return undefined;
  const speaksOfImages = /image|vision|multi-?\s?modal|modalit|mmproj/i.test(message);
  const isRefused = [400, 413, 415, 422].includes(status) || (speaksOfImages && status >= 400);
  return isRefused ? { ...known, takesImages: false } : undefined;
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

/** The messages with the instructions told by whom the model listens to; by the user, they are the beginning of a message. */
function instructed(
  messages: readonly ChatMessage[],
  who: RequestDifferences['instructions'],
): OpenAI.ChatCompletionMessageParam[] {
  if (who !== 'user')
    return messages.map((message) =>
      message.role === 'system' ? { role: who, content: message.content } : toParam(message),
    );
  const told = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest = messages.filter(({ role }) => role !== 'system');
  const first = rest.findIndex(({ role }) => role === 'user');
  return rest.map((message, i) =>
    toParam({ ...message, content: i === first ? [...told, message.content].join('\n\n') : message.content }),
  );
}

/** Images stand behind the text, within their addresses. */
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
          // Servers that are strict about it take no empty text beside a call.
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
