// Finds turns of a thread's event loop that took too long, and whose code ran in them.
import { Session, type Profiler } from 'node:inspector';

/** A turn of the event loop that took too long. */
interface Stall {
  /** Processor time of the watched code in the turn, in milliseconds. */
  readonly own: number;
  /** The function of it that took the most, with its file and line. */
  readonly where: string;
  /** When the turn ended, on the clock of `performance.now()`. */
  readonly endedAt: number;
}

/** Interval at which turns of the event loop are recorded, in milliseconds. */
const BEAT = 10;

/** Sampling interval of the profiler, in microseconds. */
const SAMPLING = 2_000;

/** Watches this thread for stalls in some code. Other extensions, the tests, and loading don't count. */
export class StallWatch {
  readonly #isOwn: (url: string) => boolean;
  readonly #least: number;
  readonly #session = new Session();
  readonly #beating: NodeJS.Timeout;
  #beats: Beat[] = [beat()];

  /** Takes the minimum duration of a stall in milliseconds as `least`. */
  constructor(isOwn: (url: string) => boolean, least: number) {
    this.#isOwn = isOwn;
    this.#least = least;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.setSamplingInterval', { interval: SAMPLING });
    this.#session.post('Profiler.start');
    this.#beating = setInterval(() => this.#beats.push(beat()), BEAT).unref();
  }

  /** Returns the stalls since the last call. A call costs V8 about 100 ms. */
  take(): Stall[] {
    const beats = [...this.#beats, beat()];
    const stalls: Stall[] = [];
    this.#session.post('Profiler.stop', (_, { profile }) => {
      stalls.push(...stallsIn(profile, beats, this.#isOwn, this.#least));
    });
    this.#session.post('Profiler.start');
    this.#beats = [beat()];
    return stalls;
  }

  dispose(): void {
    clearInterval(this.#beating);
    this.#session.disconnect();
  }
}

/** When the event loop turned. */
interface Beat {
  /** In microseconds, on the clock of V8's profiles. */
  readonly time: number;
  /** On the clock of `performance.now()`. */
  readonly milliseconds: number;
  /** Processor time of this thread so far, in microseconds. */
  readonly used: number;
}

function beat(): Beat {
  const { user, system } = process.threadCpuUsage();
  const milliseconds = performance.now();
  return { time: Number(process.hrtime.bigint() / 1000n), milliseconds, used: user + system };
}

/**
 * Returns the stalls between beats of an event loop. Counts processor time, of which the samples show the share of the
 * watched code: other programs cause no stall, and slow machines only yield fewer samples.
 */
function stallsIn(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  beats: readonly Beat[],
  isOwn: (url: string) => boolean,
  least: number,
): Stall[] {
  const ownAt = ownFrames(nodes, isOwn);
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  const stalls: Stall[] = [];
  let [at, time] = [0, startTime];
  for (const [index, beat] of beats.entries()) {
    const places = new Map<string, number>();
    let [all, own] = [0, 0];
    for (; at < samples.length; at++) {
      const next = time + (timeDeltas[at] ?? 0);
      if (next > beat.time) break;
      time = next;
      const node = samples[at] ?? 0;
      if (!idle.has(node)) all++;
      const place = ownAt.get(node);
      if (place === undefined) continue;
      own++;
      places.set(place, (places.get(place) ?? 0) + 1);
    }
    const used = beat.used - (beats[index - 1] ?? beat).used;
    const milliseconds = (used / 1_000) * (own / Math.max(all, 1));
    if (own === 0 || milliseconds < least) continue;
    const [where] = [...places].reduce((most, one) => (one[1] > most[1] ? one : most));
    stalls.push({ own: milliseconds, where, endedAt: beat.milliseconds });
  }
  return stalls;
}

/** The innermost own function on the stack of each node that has one. */
function ownFrames(
  nodes: readonly Profiler.ProfileNode[],
  isOwn: (url: string) => boolean,
): ReadonlyMap<number, string> {
  const own = new Map<number, string>();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  // A node precedes its children.
  for (const { id, callFrame } of nodes) {
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    const outer = own.get(parents.get(id) ?? 0);
    const place = `${functionName || '(anonymous)'} at ${url}:${String(lineNumber + 1)}:${String(columnNumber + 1)}`;
    if (isOwn(url)) own.set(id, place);
    else if (outer !== undefined) own.set(id, outer);
  }
  return own;
}
