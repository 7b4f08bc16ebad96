import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Maximum number of ways in which a pattern can match at one position and still count as linear. */
const mostWays = 2000;

/**
 * Returns the parts of a pattern that may need more than linear time: its alternatives, which are tried one after the
 * other. Leaves out those whose repetitions are all bounded, and those whose single unbounded repetition is certainly
 * linear.
 */
export function unboundedParts(source: string, flags: string): string[] {
  const [unicode, unicodeSets] = [flags.includes('u'), flags.includes('v')];
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const parts = pattern.alternatives
    .filter((part) => countWays(part) > mostWays && !isLinear(part, flags))
    .map(({ raw }) => raw);
  // A separate part would lack the groups that it refers to.
  return parts.length > 0 && /\\(?:[1-9]|k<)/.test(source) ? [source] : parts;
}

/**
 * Reports whether a part has a single unbounded run that is linear: the part matches only at the start of the text, so
 * each end of the run is tried once (`^\s+a`), or it ends with the run, which then can't fail (`a\s+`).
 */
function isLinear(part: AST.Alternative, flags: string): boolean {
  if (countRuns(part) !== 1 || waysBesideRuns(part) > mostWays) return false;
  const [first] = part.elements;
  const isAnchored = first?.type === 'Assertion' && first.kind === 'start' && !flags.includes('m');
  return isAnchored || endsWithRun(part);
}

function endsWithRun({ elements }: AST.Alternative): boolean {
  const last = elements.at(-1);
  if (last?.type === 'Quantifier') return last.max === Infinity;
  if (last?.type !== 'CapturingGroup' && last?.type !== 'Group') return false;
  const [only, ...others] = last.alternatives;
  return only !== undefined && others.length === 0 && endsWithRun(only);
}

/** Returns the number of unbounded repetitions of a single character on one path; Infinity if one repeats more. */
function countRuns(node: AST.Node): number {
  switch (node.type) {
    case 'Alternative':
      return node.elements.reduce((runs, element) => runs + countRuns(element), 0);
    case 'CapturingGroup':
    case 'Group':
      return Math.max(...node.alternatives.map(countRuns));
    case 'Assertion':
      return 'alternatives' in node ? Math.max(...node.alternatives.map(countRuns)) : 0;
    case 'Quantifier': {
      if (node.max < Infinity) return countRuns(node.element) === 0 ? 0 : node.max * countRuns(node.element);
      return ['Character', 'CharacterClass', 'CharacterSet'].includes(node.element.type) ? 1 : Infinity;
    }
    case 'Backreference':
      return Infinity;
    default:
      return 0;
  }
}

/** Returns the number of ways in which a node can match if the end of each unbounded run is fixed. */
function waysBesideRuns(node: AST.Node): number {
  return countWays(node, ({ min }) => Math.max(1, min));
}

/** Returns the maximum number of ways to match a text from one position. */
function countWays(node: AST.Node, waysOfRun: (run: AST.Quantifier) => number = () => Infinity): number {
  const ways = (one: AST.Node): number => countWays(one, waysOfRun);
  switch (node.type) {
    case 'Alternative':
      return node.elements.reduce((product, element) => product * ways(element), 1);
    case 'CapturingGroup':
    case 'Group':
    case 'Pattern':
      return sumUp(node.alternatives.map(ways));
    case 'Assertion':
      return 'alternatives' in node ? sumUp(node.alternatives.map(ways)) : 1;
    case 'Quantifier':
      return node.max === Infinity ? waysOfRun(node) : waysOfRepeated(ways(node.element), node.min, node.max);
    case 'Backreference':
      return Infinity;
    default:
      return 1;
  }
}

function sumUp(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function waysOfRepeated(ways: number, min: number, max: number): number {
  let sum = 0;
  for (let count = min; count <= max && sum <= mostWays; count++) sum += ways ** count;
  return sum;
}
