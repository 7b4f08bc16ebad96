import type { Node } from '@vscode/tree-sitter-wasm';

/** Named declaration in a piece of code; `body` contains further declarations. */
interface Declaration {
  readonly title: string;
  readonly body: Node | undefined;
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Nodes that contain declarations, in all supported grammars. */
const containers = words(`
  abstract_class_declaration annotation_type_declaration class class_declaration class_definition class_specifier
  enum_declaration impl_item interface_declaration internal_module mod_item module namespace_declaration
  namespace_definition record_declaration record_struct_declaration singleton_class struct_declaration
  struct_specifier trait_declaration trait_item union_specifier`);

/** Named declarations whose content is ignored. */
const leaves = words(`
  abstract_method_signature compact_constructor_declaration constructor_declaration conversion_operator_declaration
  delegate_declaration destructor_declaration enum_item enum_specifier function_declaration function_definition
  function_item function_signature function_signature_item generator_function_declaration indexer_declaration
  local_function_statement macro_definition method method_declaration method_definition operator_declaration
  property_declaration singleton_method struct_item type_alias_declaration type_spec union_item`);

/** Nodes around a single declaration. */
const wrappers = words(`
  ambient_declaration decorated_definition export_statement expression_statement global_statement lexical_declaration
  template_declaration type_declaration type_definition variable_declaration`);

/** Transparent wrapper nodes. If the syntax is broken, an error node holds the readable parts. */
const transparent = words(`
  ERROR declaration_list enum_body_declarations linkage_specification preproc_elif preproc_else preproc_if
  preproc_ifdef`);

/** Nodes that belong to the next declaration. */
const leadIns = words(
  'annotation attribute_item block_comment comment decorator doc_comment inner_attribute_item line_comment',
);

const functions = words(
  'arrow_function class function_expression generator_function lambda anonymous_function closure_expression',
);

const MAX_TITLE_LENGTH = 120;

/** Maximum number of wrappers around a declaration. */
const DEEPEST_WRAPPING = 4;

/** Reports whether a node only wraps declarations, as `export` does. */
export function isTransparent(node: Node): boolean {
  return transparent.has(node.type);
}

/** Reports whether a node belongs to the next declaration, as comments and decorators do. */
export function isLeadIn(node: Node): boolean {
  return leadIns.has(node.type);
}

/** Returns the declaration in a node, inside any wrappers; undefined for statements and the like. */
export function readDeclaration(node: Node, depth = 0): Declaration | undefined {
  const { type } = node;
  if (containers.has(type) || leaves.has(type)) return toDeclaration(findTitle(node), findBody(node));
  switch (type) {
    case 'variable_declarator':
    case 'public_field_definition':
    case 'field_definition':
      return ofValue(node.childForFieldName('name'), node.childForFieldName('value'));
    case 'assignment_expression':
      return ofValue(node.childForFieldName('left'), node.childForFieldName('right'));
    case 'function_expression':
    case 'arrow_function':
    case 'object':
      return { title: 'default', body: undefined };
    case 'call_expression':
      return ofCall(node);
  }
  if (!wrappers.has(type) || depth >= DEEPEST_WRAPPING) return undefined;
  const isExport = type === 'export_statement';
  for (const child of node.namedChildren) {
    if (child === null || (!isExport && /^(?:function_expression|arrow_function|object)$/.test(child.type)))
      continue;
    const declaration = readDeclaration(child, depth + 1);
    if (declaration !== undefined) return declaration;
  }
  return undefined;
}

function toDeclaration(title: string | undefined, body: Node | undefined): Declaration | undefined {
  const short = title?.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH);
  return short === undefined || short === '' ? undefined : { title: short, body };
}

function findBody(node: Node): Node | undefined {
  return containers.has(node.type) ? (node.childForFieldName('body') ?? undefined) : undefined;
}

/** Returns the declaration of a variable, field, or property that holds a function or class. */
function ofValue(name: Node | null, value: Node | null): Declaration | undefined {
  if (name === null || value === null || !functions.has(value.type)) return undefined;
  return toDeclaration(
    name.text,
    value.type === 'class' ? (value.childForFieldName('body') ?? undefined) : undefined,
  );
}

/** Returns the declaration in a call that names a block: `describe('a lamp', () => { ... })`. */
function ofCall(node: Node): Declaration | undefined {
  const [first, ...rest] = node.childForFieldName('arguments')?.namedChildren ?? [];
  const block = rest.at(-1)?.childForFieldName('body');
  if (first?.type !== 'string' || block?.type !== 'statement_block') return undefined;
  const callee = node.childForFieldName('function')?.text ?? '';
  return toDeclaration(`${callee} ${first.text.slice(1, -1)}`, block);
}

function findTitle(node: Node): string | undefined {
  const name = node.childForFieldName('name')?.text;
  if (node.type === 'impl_item') {
    const type = node.childForFieldName('type')?.text;
    const trait = node.childForFieldName('trait')?.text;
    return trait === undefined ? type : `${trait} for ${type ?? ''}`;
  }
  if (node.type === 'module' && name !== undefined) return name.replace(/^(["'])(.*)\1$/, '$2');
  const receiver = node.childForFieldName('receiver')?.text;
  if (receiver !== undefined && name !== undefined) {
    const type = /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)(?:\[[^[\]]*\])?\s*\)$/u.exec(receiver)?.[1];
    return type === undefined ? name : `${type}.${name}`;
  }
  return name ?? declaratorName(node);
}

/** Returns the name in a declarator of C and C++, below its pointers and references. */
function declaratorName(node: Node): string | undefined {
  let at = node.childForFieldName('declarator');
  for (let depth = 0; at !== null && depth < 10; depth++) {
    const inner =
      at.childForFieldName('declarator') ?? (at.type.includes('reference') ? at.lastNamedChild : null);
    if (inner === null) return at.text;
    at = inner;
  }
  return undefined;
}
