import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

/** A pattern that can match in no more ways from any place is linear: so many times the length of a text. */
const mostWays = 2000;

/**
 * The parts of a pattern that may take more than linear time: its alternatives, which are tried one after the other,
 * without those of which every repetition is bounded.
 */
export function unboundedParts(source: string, flags: string): string[] {
  const [unicode, unicodeSets] = [flags.includes('u'), flags.includes('v')];
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const parts = pattern.alternatives.filter((part) => waysOf(part) > mostWays).map(({ raw }) => raw);
  // A part alone would not have the groups that it refers to.
  return parts.length > 0 && /\\(?:[1-9]|k<)/.test(source) ? [source] : parts;
}

/** In how many ways something can match a text from one place, at most. */
function waysOf(node: AST.Node): number {
  switch (node.type) {
    case 'Alternative':
      return node.elements.reduce((ways, element) => ways * waysOf(element), 1);
    case 'CapturingGroup':
    case 'Group':
    case 'Pattern':
      return sumOf(node.alternatives);
    case 'Assertion':
      return 'alternatives' in node ? sumOf(node.alternatives) : 1;
    case 'Quantifier':
      return node.max === Infinity ? Infinity : waysOfRepeated(waysOf(node.element), node.min, node.max);
    case 'Backreference':
      return Infinity;
    default:
      return 1;
  }
}

function sumOf(nodes: readonly AST.Node[]): number {
  return nodes.reduce((ways, node) => ways + waysOf(node), 0);
}

function waysOfRepeated(ways: number, min: number, max: number): number {
  let sum = 0;
  for (let count = min; count <= max && sum <= mostWays; count++) sum += ways ** count;
  return sum;
}
