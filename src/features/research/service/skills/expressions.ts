import * as math from 'mathjs/number';
import type { ConstantNode, FunctionNode, MathNode, OperatorNode, SymbolNode } from 'mathjs/number';
import { NotebookError, errorMessage } from '../../../../core/domain/errors.ts';

/** Values for the names in an expression: a number, or a list of numbers for functions that accept lists. */
export type Values = Readonly<Record<string, number | readonly number[]>>;

/** Maximum length of an expression, in UTF-16 code units. */
const MAX_EXPRESSION_LENGTH = 1_000;
/** Number of significant digits. The last digits of a floating-point number are noise. */
const PRECISION = 14;

/** Functions of numbers in linear time, excluding those that count, draw random numbers, or build lists. */
const functions = {
  abs: math.absDependencies,
  cbrt: math.cbrtDependencies,
  ceil: math.ceilDependencies,
  cos: math.cosDependencies,
  corr: math.corrDependencies,
  exp: math.expDependencies,
  factorial: math.factorialDependencies,
  floor: math.floorDependencies,
  gcd: math.gcdDependencies,
  hypot: math.hypotDependencies,
  lcm: math.lcmDependencies,
  log: math.logDependencies,
  log10: math.log10Dependencies,
  log2: math.log2Dependencies,
  mad: math.madDependencies,
  max: math.maxDependencies,
  mean: math.meanDependencies,
  median: math.medianDependencies,
  min: math.minDependencies,
  nthRoot: math.nthRootDependencies,
  pow: math.powDependencies,
  prod: math.prodDependencies,
  quantileSeq: math.quantileSeqDependencies,
  round: math.roundDependencies,
  sign: math.signDependencies,
  sin: math.sinDependencies,
  sqrt: math.sqrtDependencies,
  std: math.stdDependencies,
  sum: math.sumDependencies,
  tan: math.tanDependencies,
  variance: math.varianceDependencies,
};

/** Operators by the names of their functions. */
const operators = {
  add: math.addDependencies,
  subtract: math.subtractDependencies,
  multiply: math.multiplyDependencies,
  divide: math.divideDependencies,
  mod: math.modDependencies,
  pow: math.powDependencies,
  unaryMinus: math.unaryMinusDependencies,
  unaryPlus: math.unaryPlusDependencies,
  factorial: math.factorialDependencies,
  equal: math.equalDependencies,
  unequal: math.unequalDependencies,
  smaller: math.smallerDependencies,
  smallerEq: math.smallerEqDependencies,
  larger: math.largerDependencies,
  largerEq: math.largerEqDependencies,
};

const constants = { pi: math.piDependencies, e: math.eDependencies };

/** Functions that an expression can call. */
export const FUNCTIONS: readonly string[] = Object.keys(functions);

const needed = Object.entries({ ...functions, ...operators, ...constants, parse: math.parseDependencies });
/**
 * The types declare each part as optional. Lists are arrays, the only kind that the smaller half of the library
 * supports.
 */
const { parse } = math.create(
  Object.fromEntries(needed.flatMap(([name, part]) => (part === undefined ? [] : [[name, part]]))),
  { matrix: 'Array' },
);

/**
 * Computes an arithmetic expression and returns the result as text. Parses it first, and only evaluates numbers, the
 * supplied values, and operators and functions from a short list.
 * @throws NotebookError that names the part that can't be computed
 */
export function compute(expression: string, values: Values = {}): string {
  if (expression.length > MAX_EXPRESSION_LENGTH)
    throw new NotebookError(
      'unsupported',
      `An expression can have at most ${String(MAX_EXPRESSION_LENGTH)} characters. Compute its parts separately.`,
    );
  const shown = JSON.stringify(expression);
  let result: unknown;
  try {
    const node = parse(expression);
    const refused = refusedIn(node, values);
    if (refused !== undefined) throw new TypeError(refused);
    result = node.compile().evaluate(new Map(Object.entries(values)));
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : failureReason(error);
    throw new NotebookError('unsupported', `${shown} can't be computed: ${why}.`);
  }
  if (typeof result === 'boolean') return String(result);
  if (typeof result !== 'number')
    throw new NotebookError(
      'unsupported',
      `${shown} can't be computed: the result isn’t a number. Use lists only in functions such as mean([1, 2]).`,
    );
  if (!Number.isFinite(result))
    throw new NotebookError(
      'unsupported',
      `${shown} can't be computed: the result isn’t finite. Check for a division by 0 or a number that’s too large.`,
    );
  return String(Number(result.toPrecision(PRECISION)));
}

/** Describes the part of an expression that isn't allowed; undefined if all of it is. */
function refusedIn(root: MathNode, values: Values): string | undefined {
  let refused: string | undefined;
  root.traverse((node, _path, parent) => {
    refused ??= refusal(node, parent, values);
  });
  return refused;
}

function refusal(node: MathNode, parent: MathNode | null, values: Values): string | undefined {
  switch (node.type) {
    case 'ParenthesisNode':
    case 'ArrayNode':
    case 'ConditionalNode':
    case 'RelationalNode':
      return undefined;
    case 'ConstantNode':
      return typeof (node as ConstantNode).value === 'number' ? undefined : 'it can contain only numbers';
    case 'OperatorNode': {
      const { fn, op } = node as OperatorNode;
      return Object.hasOwn(operators, fn) ? undefined : `the operator ${String(op)} isn’t supported`;
    }
    case 'FunctionNode': {
      const { fn } = node as FunctionNode;
      const isKnown = (fn as MathNode).type === 'SymbolNode' && Object.hasOwn(functions, fn.name);
      return isKnown ? undefined : `only the functions ${FUNCTIONS.join(', ')} are supported`;
    }
    case 'SymbolNode': {
      const { name } = node as SymbolNode;
      const isCalled = parent?.type === 'FunctionNode' && (parent as FunctionNode).fn === node;
      if (isCalled || Object.hasOwn(values, name) || Object.hasOwn(constants, name)) return undefined;
      return `${JSON.stringify(name)} has no value`;
    }
    default:
      return 'it can contain only numbers, values, operators, and functions';
  }
}

function failureReason(error: unknown): string {
  const message = errorMessage(error);
  const line = message.replace(/\s+/g, ' ').slice(0, 200).replace(/\.$/, '');
  return line.charAt(0).toLowerCase() + line.slice(1);
}
