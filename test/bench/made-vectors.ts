/** Vectors in rows, and questions that are close to some of them. */
export interface GeneratedVectors {
  readonly rows: Float32Array;
  readonly questions: readonly Float32Array[];
}

const SEED = 42;
const QUESTIONS = 100;

/**
 * Share of each level in a vector: common to all, then by field, topic, document, and passage, and the number of
 * items per level.
 */
const SHARED = 0.8;
const LEVELS = [
  { among: 1_000, share: 0.4 },
  { among: 100, share: 0.4 },
  { among: 12, share: 0.35 },
  { among: 1, share: 0.7 },
];
/** Distance of a question from the passage with the answer. */
const QUESTION_AWAY = 0.6;
/** Dimensions with large values in every vector, as in most models. */
const OUTLYING = [3, 101, 250];
const OUTLYING_BY = 0.25;

/**
 * Returns vectors like those of language models: fields, topics, and documents that are close to each other, a few
 * important directions, a common share, and some dimensions with large values. The same in every run.
 */
export function makeVectors(count: number, dimension: number): GeneratedVectors {
  const random = randomNumbers(SEED);
  const rotate = makeRotation(dimension, random);
  const add = (to: Float64Array, share: number): Float64Array => {
    const norm = Math.sqrt(harmonic(dimension));
    for (let i = 0; i < dimension; i++)
      to[i] = (to[i] ?? 0) + (share * gaussian(random)) / Math.sqrt(i + 1) / norm;
    return to;
  };
  const centres = [
    add(new Float64Array(dimension), SHARED),
    ...LEVELS.map(() => new Float64Array(dimension)),
  ];
  const finish = (centre: Float64Array): Float32Array => {
    const vector = rotate(centre);
    for (const i of OUTLYING) if (i < dimension) vector[i] = (vector[i] ?? 0) + OUTLYING_BY;
    return normalise(vector);
  };
  const rows = new Float32Array(count * dimension);
  const answers = new Set(Array.from({ length: QUESTIONS }, () => Math.floor(random() * count)));
  const questions: Float32Array[] = [];
  for (let row = 0; row < count; row++) {
    for (const [level, { among, share }] of LEVELS.entries())
      if (row === 0 || random() * among < 1)
        centres[level + 1] = add(Float64Array.from(centres[level] ?? []), share);
    const own = centres.at(-1) ?? new Float64Array(dimension);
    rows.set(finish(own), row * dimension);
    if (answers.has(row)) questions.push(finish(add(Float64Array.from(own), QUESTION_AWAY)));
  }
  return { rows, questions };
}

/**
 * Returns vectors in all directions, none of which is close to another: the worst case for a rough scan. The same in
 * every run.
 */
export function makeUniformVectors(count: number, dimension: number): GeneratedVectors {
  const random = randomNumbers(SEED);
  const draw = (): Float32Array =>
    normalise(Float64Array.from({ length: dimension }, () => gaussian(random)));
  const rows = new Float32Array(count * dimension);
  for (let row = 0; row < count; row++) rows.set(draw(), row * dimension);
  return { rows, questions: Array.from({ length: QUESTIONS }, draw) };
}

/** Returns a generator of numbers from 0 to 1, excluding 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function normalise(vector: Float64Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (value) => value / length);
}

function harmonic(count: number): number {
  let sum = 0;
  for (let i = 1; i <= count; i++) sum += 1 / i;
  return sum;
}

/** Rotates vectors so that no dimension matters more than another: rounds of rotations in random planes. */
function makeRotation(dimension: number, random: () => number): (vector: Float64Array) => Float64Array {
  const rounds = Array.from({ length: 12 }, () => {
    const order = Array.from({ length: dimension }, (_, i) => i).sort(() => random() - 0.5);
    return Array.from({ length: dimension >> 1 }, (_, i) => ({
      a: order[2 * i] ?? 0,
      b: order[2 * i + 1] ?? 0,
      angle: 2 * Math.PI * random(),
    }));
  });
  const turns = rounds
    .flat()
    .map(({ a, b, angle }) => ({ a, b, cos: Math.cos(angle), sin: Math.sin(angle) }));
  return (vector) => {
    const turned = Float64Array.from(vector);
    for (const { a, b, cos, sin } of turns) {
      const x = turned[a] ?? 0;
      const y = turned[b] ?? 0;
      turned[a] = cos * x - sin * y;
      turned[b] = sin * x + cos * y;
    }
    return turned;
  };
}
