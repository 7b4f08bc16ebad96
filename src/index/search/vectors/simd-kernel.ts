import { KERNEL } from './kernel-bytes.ts';
import { PAGE, PlainKernel, type Kernel, type Scan } from './kernel.ts';

const MAX_PAGES = 2 ** 16;

type KernelFunction = (...parameters: number[]) => number;

/** Returns the fastest supported kernel. */
export function createKernel(): Kernel {
  return SimdKernel.create() ?? new PlainKernel();
}

/** Kernel from kernel.wat, which scores 16 rows at a time. */
export class SimdKernel implements Kernel {
  readonly #memory = new WebAssembly.Memory({ initial: 0, maximum: MAX_PAGES });
  readonly #scan: KernelFunction;
  readonly #multiply: KernelFunction;

  private constructor(bytes: Uint8Array<ArrayBuffer>) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
      kernel: { memory: this.#memory },
    });
    const { scan, multiply } = instance.exports;
    if (!isFunction(scan) || !isFunction(multiply)) throw new TypeError('The kernel lacks a function.');
    this.#scan = scan;
    this.#multiply = multiply;
  }

  /** Returns a kernel; undefined if the processor or the editor's V8 doesn't support it. */
  static create(): SimdKernel | undefined {
    const bytes = Uint8Array.from(Buffer.from(KERNEL, 'base64'));
    return typeof WebAssembly === 'object' && WebAssembly.validate(bytes) ? new SimdKernel(bytes) : undefined;
  }

  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  grow(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
  }

  scan({ tables, tableCount, codes, factors, groups, unit, offset, base, minScore, ...to }: Scan): number {
    const { sums, rows, scores } = to;
    return this.#scan(
      ...[tables, tableCount, codes, factors, groups, unit, offset, base, minScore, sums, rows, scores],
    );
  }

  multiply(question: number, row: number, stride: number): number {
    return this.#multiply(question, row, stride);
  }
}

function isFunction(value: unknown): value is KernelFunction {
  return typeof value === 'function';
}
