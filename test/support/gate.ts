/** A point where a server waits until the test lets it go on, so that no test has to sleep. */
export interface Gate {
  /** Settles when the server has come to the gate. */
  readonly reached: Promise<void>;
  /** Lets the server go on. */
  open(): void;
  /** The server's side: says that it is there, and waits. */
  pass(): Promise<void>;
}

/** Makes a closed gate. */
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
