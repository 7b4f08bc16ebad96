import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { isAlias, isNode, LineCounter, parseDocument, stringify, visit, type Document } from 'yaml';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { ALL_SOURCES, ANY_QUANTITY, SOURCE_PREFIX } from '../../model/project.ts';
import type { ComposedSkill, ComposedStep } from './skill.ts';

/** Maximum length of a file, in UTF-16 code units, and maximum number of steps and inputs. */
const MAX_FILE_LENGTH = 100_000;
const MAX_STEPS = 40;
const MAX_INPUTS = 20;

/** Matches the names of skills: words with hyphens. */
const SKILL_NAME = /^[a-z\d]{1,40}(?:-[a-z\d]{1,40}){0,10}$/;

const line = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(2_000));
const id = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100));
const ids = v.nullish(v.pipe(v.array(id), v.maxLength(MAX_STEPS)), []);

const schema = v.strictObject({
  name: v.optional(v.pipe(v.string(), v.trim(), v.regex(SKILL_NAME))),
  description: line,
  inputs: v.nullish(
    v.pipe(v.array(v.strictObject({ name: id, description: line })), v.maxLength(MAX_INPUTS)),
    [],
  ),
  steps: v.pipe(
    v.array(
      v.strictObject({
        action: v.pipe(v.string(), v.trim(), v.regex(SKILL_NAME)),
        target: line,
        materials: ids,
        tools: ids,
        produces: id,
        quantity: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      }),
    ),
    v.minLength(1),
    v.maxLength(MAX_STEPS),
  ),
});

/**
 * Parses a composed skill from the front matter of a Markdown file, between lines of `---`. The text below is for
 * people. `name` is the file name, used if the front matter has no name.
 * @throws NotebookError that names the line, counted from one, and the problem
 */
export function readComposedSkill(text: string, name: string): ComposedSkill {
  const { yaml, firstLine } = frontMatter(text);
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): number => firstLine + lines.linePos(offset).line - 1;
  const [wrong] = document.errors;
  if (wrong !== undefined) throw problem(at(wrong.pos[0]), t('the YAML isn’t valid ({0})', wrong.code));
  const findLine = (path: readonly PropertyKey[]): number => at(findOffset(document, path));
  const read = v.safeParse(schema, toPlain(document, firstLine, at));
  if (!read.success) {
    const [issue] = read.issues;
    const path = (issue.path ?? []).map(({ key }) => key as PropertyKey);
    throw problem(findLine(path), describeIssue(issue, path));
  }
  const skill: ComposedSkill = {
    ...read.output,
    name: read.output.name ?? name,
    steps: read.output.steps.map(({ quantity = ANY_QUANTITY, ...step }) => ({ ...step, quantity })),
  };
  if (!SKILL_NAME.test(skill.name))
    throw problem(
      findLine(['name']),
      t('a skill name can only contain lowercase letters, digits, and hyphens'),
    );
  checkNames(skill, findLine);
  return skill;
}

/** Formats a composed skill as a file. */
export function writeComposedSkill({ name, description, inputs, steps }: ComposedSkill): string {
  const skillData = {
    name,
    description,
    ...(inputs.length > 0 && { inputs }),
    steps: steps.map(({ action, target, materials, tools, produces, quantity }) => ({
      action,
      target,
      ...(materials.length > 0 && { materials }),
      ...(tools.length > 0 && { tools }),
      produces,
      ...(quantity !== ANY_QUANTITY && { quantity }),
    })),
  };
  return `---\n${stringify(skillData, { lineWidth: 0, aliasDuplicateObjects: false })}---\n`;
}

function frontMatter(text: string): { readonly yaml: string; readonly firstLine: number } {
  if (text.length > MAX_FILE_LENGTH)
    throw problem(1, t('a skill can’t be longer than {0} characters', MAX_FILE_LENGTH));
  const whole = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const end = whole.startsWith('---\n') ? `${whole}\n`.indexOf('\n---\n', 3) : -1;
  if (end < 0) throw problem(1, t('a skill must start with front matter between two lines of ---'));
  return { yaml: whole.slice(4, end + 1), firstLine: 2 };
}

function toPlain(document: Document, firstLine: number, lineAt: (offset: number) => number): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 });
  } catch {
    // Only an alias without an anchor, or too many aliases, make the conversion fail.
    const offset = findUnknownAlias(document);
    if (offset !== undefined) throw problem(lineAt(offset), t('the YAML isn’t valid ({0})', 'BAD_ALIAS'));
    throw problem(firstLine, t('the YAML contains too many aliases'));
  }
}

/** Returns the offset of the first alias without an anchor before it; undefined if there is none. */
function findUnknownAlias(document: Document): number | undefined {
  const anchors = new Set<string>();
  let offset: number | undefined;
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
      } else if (!anchors.has(node.source)) {
        offset = node.range?.[0];
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return offset;
}

/** Returns the offset of a value, or of the parent that it is missing from. */
function findOffset(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function describeIssue(issue: v.BaseIssue<unknown>, path: readonly PropertyKey[]): string {
  const name = path.findLast((key) => typeof key === 'string') ?? '';
  if (issue.received === 'undefined') return t('“{0}” is missing', name);
  switch (issue.type) {
    case 'strict_object':
      return issue.expected === 'never'
        ? t('a skill can’t have the property “{0}”', name)
        : name === ''
          ? t('a skill needs a description and steps')
          : t('“{0}” must be a mapping with named properties', name);
    case 'regex':
      return t('“{0}” must be a skill name with lowercase letters, digits, and hyphens only', name);
    case 'array':
      return t('“{0}” must be a list', name);
    case 'max_length':
      return t('“{0}” is too long', name);
    case 'number':
    case 'integer':
    case 'min_value':
      return t('“{0}” must be a whole number of 1 or more', name);
    default:
      return t('“{0}” must be text and can’t be empty', name);
  }
}

/** Checks that steps use only inputs, sources, or products of other steps, and that each product has one maker. */
function checkNames(
  { inputs, steps }: ComposedSkill,
  findLine: (path: readonly PropertyKey[]) => number,
): void {
  const inputNames = new Set<string>();
  for (const [i, { name }] of inputs.entries()) {
    if (inputNames.has(name))
      throw problem(findLine(['inputs', i]), t('the input “{0}” appears twice', name));
    inputNames.add(name);
  }
  const produced = new Set<string>();
  for (const [i, { produces }] of steps.entries()) {
    if (produced.has(produces) || inputNames.has(produces) || isSource(produces))
      throw problem(
        findLine(['steps', i, 'produces']),
        t(
          '“{0}” is already the name of an input, a source, or another result, so choose another name',
          produces,
        ),
      );
    produced.add(produces);
  }
  for (const [i, step] of steps.entries()) {
    for (const [j, material] of step.materials.entries())
      if (!produced.has(material) && !inputNames.has(material) && !isSource(material))
        throw problem(
          findLine(['steps', i, 'materials', j]),
          t('“{0}” isn’t an input, and no step produces it', material),
        );
    for (const name of placeholders(step))
      if (name !== 'target' && !inputNames.has(name))
        throw problem(
          findLine(['steps', i, 'target']),
          t(
            '{0} isn’t an input. To insert the task of the step that uses the skill, write {1}',
            `{${name}}`,
            '{target}',
          ),
        );
  }
}

function isSource(name: string): boolean {
  return name === ALL_SOURCES || name.startsWith(SOURCE_PREFIX);
}

function placeholders({ target }: ComposedStep): string[] {
  return [...target.matchAll(/\{([\w-]{1,60})\}/g)].map(([, name = '']) => name);
}

function problem(lineNumber: number, what: string): NotebookError {
  return new NotebookError('unsupported', t('Line {0}: {1}.', lineNumber, what));
}
