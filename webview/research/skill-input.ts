/** Input field of a skill for people. */
export interface SkillField {
  readonly name: string;
  /** Description from the skill. */
  readonly description: string;
  /** `list`: one text per line; `json`: anything else, as JSON. */
  readonly kind: 'choice' | 'flag' | 'json' | 'list' | 'number' | 'text';
  /** Options of a choice. */
  readonly choices: readonly string[];
  readonly isNeeded: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

/** Returns the input fields of a skill from the JSON Schema of its input. */
export function skillFields(input: Schema): SkillField[] {
  const needed = input['required'];
  return Object.entries(isSchema(input['properties']) ? input['properties'] : {}).flatMap(
    ([name, fieldSchema]) => {
      const schema = isSchema(fieldSchema) ? fieldSchema : {};
      const { description } = schema;
      const choices = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
      return {
        name,
        description: typeof description === 'string' ? description : '',
        kind: choices.length > 0 ? ('choice' as const) : fieldKind(schema),
        choices,
        isNeeded: Array.isArray(needed) && needed.includes(name),
      };
    },
  );
}

function fieldKind(schema: Schema): SkillField['kind'] {
  const kinds: Readonly<Record<string, SkillField['kind']>> = {
    boolean: 'flag',
    integer: 'number',
    number: 'number',
    string: 'text',
  };
  const { type, items, anyOf } = schema;
  if (type === 'array') return isSchema(items) && items['type'] === 'string' ? 'list' : 'json';
  if (Array.isArray(anyOf))
    return anyOf.some((variant) => isSchema(variant) && fieldKind(variant) === 'list') ? 'list' : 'json';
  return typeof type === 'string' ? (kinds[type] ?? 'json') : 'json';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts typed text to the input of a skill, without empty fields. Invalid numbers and invalid JSON stay text, so
 * that the skill reports the problem.
 */
export function toInput(
  fields: readonly SkillField[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }): [string, unknown][] => {
      const words = (typed[name] ?? '').trim();
      return words === '' ? [] : [[name, toValue(kind, words)]];
    }),
  );
}

function toValue(kind: SkillField['kind'], words: string): unknown {
  switch (kind) {
    case 'choice':
    case 'text':
      return words;
    case 'flag':
      return words === 'true';
    case 'list':
      return words
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'number': {
      const number = Number(words);
      return Number.isFinite(number) ? number : words;
    }
    case 'json':
      try {
        return JSON.parse(words) as unknown;
      } catch {
        // The skill rejects input of another type.
        return words;
      }
  }
}
