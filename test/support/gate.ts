/** A point where a server waits until the test opens it, so that no test has to sleep. */
export interface Gate {
  /** Settles when the server has reached the gate. */
  readonly reached: Promise<void>;
  /** Lets the server continue. */
  open(): void;
  /** Reports that the server has reached the gate, and waits. */
  pass(): Promise<void>;
}

/** Creates a closed gate. */
export function makeGate(): Gate {
  const reached = Promise.withResolvers<undefined>();
  const opened = Promise.withResolvers<undefined>();
  return {
    reached: reached.promise,
    open: () => {
      opened.resolve(undefined);
    },
    pass: async () => {
      reached.resolve(undefined);
      await opened.promise;
    },
  };
}
