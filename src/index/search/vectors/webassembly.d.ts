/** Part of WebAssembly that is used here, which Node's types lack. */
declare namespace WebAssembly {
  class Memory {
    constructor(description: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
    /** @throws RangeError if there isn't enough memory */
    grow(pages: number): number;
  }

  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    readonly [Symbol.toStringTag]: string;
  }

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }

  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
