import { KERNEL } from './kernel-bytes.ts';
import { PAGE, PlainKernel, type Kernel, type Scan } from './kernel.ts';

const MAX_PAGES = 2 ** 16;

/** Returns the fastest supported kernel. */
export function createKernel(): Kernel {
  return SimdKernel.create() ?? new PlainKernel();
}

/** Kernel from kernel.wat, which scans 64 numbers at a time. */
export class SimdKernel implements Kernel {
  readonly #memory = new WebAssembly.Memory({ initial: 0, maximum: MAX_PAGES });
  readonly #scan: (...parameters: number[]) => number;

  private constructor(bytes: Uint8Array<ArrayBuffer>) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
      kernel: { memory: this.#memory },
    });
    const { scan } = instance.exports;
    if (!isFunction(scan)) throw new TypeError('The kernel has no scan.');
    this.#scan = scan;
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

  scan({ question, codes, excesses, steps, stride, rows, least, found, scores }: Scan): number {
    return this.#scan(question, codes, excesses, steps, stride, rows, least, found, scores);
  }
}

function isFunction(value: unknown): value is (...parameters: number[]) => number {
  return typeof value === 'function';
}
