import * as vscode from 'vscode';
import { NotebookError, errorMessage, throwIfCanceled } from '../../../core/domain/errors.ts';
import type { Skill } from '../service/skills/skill.ts';
import { withTimeout } from './with-timeout.ts';

/** Maximum time of a tool call, including the user's consent, in milliseconds. */
const TIMEOUT_MS = 300_000;
const MAX_DESCRIPTION_LENGTH = 600;
const MAX_ERROR_LENGTH = 400;
/** Maximum depth to which nested parts of a result are searched. */
const MAX_DEPTH = 40;

/** Returns the editor's language model tools, including those of MCP servers, that the user may turn on. */
export function offeredTools(): readonly Pick<vscode.LanguageModelToolInformation, 'description' | 'name'>[] {
  return vscode.lm.tools.filter(({ name }) => !name.startsWith('openNotebook_'));
}

/** Returns the selected editor tools as skills. VS Code itself asks before a tool does anything that needs consent. */
export function editorTools(ticked: readonly string[]): readonly Skill[] {
  const names = new Set<string>();
  return vscode.lm.tools
    .filter(({ name }) => ticked.includes(name) && !name.startsWith('openNotebook_'))
    .map(({ name, description, inputSchema }) => {
      const own = skillName(name, names);
      names.add(own);
      return {
        name: own,
        description: description.replace(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION_LENGTH),
        guide: `Use ${own} for the task of the step, and submit what it returns in your own words. The tool isn’t a source: say that each fact comes from ${own}, and look for sources that support it.`,
        input: { type: 'object', ...inputSchema },
        run: async (input, { signal }) => ({ text: await invoke(name, input, signal) }),
      };
    });
}

/** Returns a unique tool name that models accept. */
function skillName(name: string, usedNames: ReadonlySet<string>): string {
  const plain = `tool-${name.replaceAll(/[^\w-]/g, '_')}`.slice(0, 60);
  let free = plain;
  for (let n = 2; usedNames.has(free); n++) free = `${plain.slice(0, 56)}_${String(n)}`;
  return free;
}

async function invoke(
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const cancellation = new vscode.CancellationTokenSource();
  try {
    const options = { input: { ...input }, toolInvocationToken: undefined };
    const result = await withTimeout(vscode.lm.invokeTool(name, options, cancellation.token), signal, {
      milliseconds: TIMEOUT_MS,
      sentence: vscode.l10n.t('{0} didn’t respond in time.', name),
    });
    const text = result.content.map(partText).join('');
    return text.trim() === '' ? 'It returned nothing.' : text;
  } catch (error) {
    throwIfCanceled(signal);
    if (error instanceof NotebookError) throw error;
    const why = errorMessage(error);
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t('{0} failed: {1}', name, why.replace(/\s+/g, ' ').slice(0, MAX_ERROR_LENGTH)),
      { cause: error },
    );
  } finally {
    cancellation.cancel();
    cancellation.dispose();
  }
}

function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  return part instanceof vscode.LanguageModelPromptTsxPart ? textIn(part.value, 0) : '';
}

/** Returns the texts in the nested parts of a tool's result. */
function textIn(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  const own = 'text' in value && typeof value.text === 'string' ? value.text : '';
  return (
    own +
    Object.values(value)
      .map((inner) => textIn(inner, depth + 1))
      .join('')
  );
}
