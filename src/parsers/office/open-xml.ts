import { damagedError, type Container } from './zip.ts';
import { elementsIn, textWithin } from './xml.ts';

/** References of a part of an Office Open XML file by ID: another part's name, or a URL. */
export type Relations = ReadonlyMap<string, Relation>;

interface Relation {
  /** Last word of its type, such as `slide` or `hyperlink`. */
  readonly type: string;
  /** Part name without a leading slash, or a URL as in the file. */
  readonly target: string;
}

/** Returns the relations of a part; empty if it has none. */
export function readRelations(container: Container, part: string, fileName: string): Relations {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const rels = container.part(`${folder}_rels/${part.slice(slash + 1)}.rels`);
  return new Map(
    elementsIn(rels, 'Relationship', fileName).map(({ attributes }) => {
      const { Id = '', Type = '', Target = '', TargetMode } = attributes;
      const target = TargetMode === 'External' ? Target : resolve(folder, Target);
      return [Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target }];
    }),
  );
}

/** Returns the name of a file's main part from its root relations. @throws NotebookError `damaged`. */
export function mainPart(container: Container, fileName: string): string {
  for (const { type, target } of readRelations(container, '', fileName).values())
    if (type === 'officeDocument') return target;
  throw damagedError(fileName);
}

/** Returns the target of the first relation of a type. */
export function relatedPart(relations: Relations, type: string): string | undefined {
  for (const relation of relations.values()) if (relation.type === type) return relation.target;
  return undefined;
}

/** Returns the title in a file's properties. */
export function declaredTitle(container: Container, fileName: string): string | undefined {
  const [title] = elementsIn(container.part('docProps/core.xml'), 'title', fileName);
  const words = officeText(textWithin(title)).replace(/\s+/g, ' ').trim();
  return words === '' || /^(?:untitled|powerpoint presentation|slide 1|word document)$/i.test(words)
    ? undefined
    : words;
}

/**
 * Returns a string of an Office file with its escaped characters, such as `_x000D_` for a line break. An escaped
 * underscore, `_x005F_`, leaves the following text unchanged.
 */
export function officeText(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return /(?![\t\n])\p{Cc}/u.test(character) ? ' ' : character;
  });
}

function resolve(folder: string, target: string): string {
  const path: string[] = [];
  for (const name of (target.startsWith('/') ? target : folder + target).split('/'))
    if (name === '..') path.pop();
    else if (name !== '' && name !== '.') path.push(name);
  return path.join('/');
}
