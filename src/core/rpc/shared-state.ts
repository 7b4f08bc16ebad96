/** Change of plain data: its new value, changes of its fields by name, or the parts of a new array. */
export type Change =
  /** Without a value, the data is undefined. */
  | { readonly value?: unknown }
  | { readonly fields: Readonly<Record<string, Change>> }
  | { readonly items: readonly ArrayPart[] };

/** Part of a new array: unchanged items of the old one up to the index `to`, a changed item of it, or a new item. */
type ArrayPart =
  | { readonly from: number; to: number }
  | { readonly from: number; readonly change: Change }
  | { readonly value?: unknown };

/** Returns the change between two versions of plain data; undefined if they are equal. */
export function changeOf(before: unknown, after: unknown): Change | undefined {
  if (before === after) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) return arrayChange(before, after);
  if (!isRecord(before) || !isRecord(after)) return { value: after };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const fields = [...names].flatMap((name) => {
    const change = changeOf(field(before, name), field(after, name));
    return change === undefined ? [] : [[name, change] as const];
  });
  return fields.length === 0 ? undefined : { fields: Object.fromEntries(fields) };
}

/**
 * Returns data after a change of `changeOf`, which may have been sent as JSON. Unchanged parts stay the same objects, and
 * removed fields are undefined.
 */
export function applyChange(before: unknown, change: Change): unknown {
  if ('fields' in change) {
    const old = isRecord(before) ? before : {};
    const changed = Object.entries(change.fields).map(([name, part]) => [
      name,
      applyChange(field(old, name), part),
    ]);
    return Object.fromEntries([...Object.entries(old), ...changed]);
  }
  if (!('items' in change)) return change.value;
  const old: readonly unknown[] = Array.isArray(before) ? before : [];
  return change.items.flatMap((part) => {
    if ('to' in part) return old.slice(part.from, part.to);
    return ['change' in part ? applyChange(old[part.from], part.change) : part.value];
  });
}

/** Recognizes items by their IDs, or by their values, so that an insertion or a move is a small change. */
function arrayChange(before: readonly unknown[], after: readonly unknown[]): Change | undefined {
  const indexes = new Map(before.map((item, index) => [keyOf(item, index), index]));
  const items: ArrayPart[] = [];
  for (const [index, item] of after.entries()) {
    const key = keyOf(item, index);
    const from = keyOf(before[index], index) === key ? index : indexes.get(key);
    const change = from === undefined ? undefined : changeOf(before[from], item);
    const last = items.at(-1);
    if (from === undefined) items.push({ value: item });
    else if (change !== undefined) items.push({ from, change });
    else if (last !== undefined && 'to' in last && last.to === from) last.to++;
    else items.push({ from, to: from + 1 });
  }
  const [first] = items;
  const isSame =
    first === undefined
      ? before.length === 0
      : 'to' in first && first.from === 0 && first.to === before.length;
  return isSame && items.length <= 1 ? undefined : { items };
}

/** Returns the ID of an item, its own value, or its index. */
function keyOf(item: unknown, index: number): unknown {
  if (!isRecord(item)) return Array.isArray(item) ? index : item;
  return item['id'] ?? index;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function field(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

interface StateSenderOptions<State, Update> {
  readonly read: () => Promise<State>;
  readonly send: (change: Change) => void;
  /** Copies the parts of a state that change in place. Runs right before the comparison. */
  readonly snapshot?: (state: State) => State;
  /** Applies the messages of `follow` to a state as the page does. */
  readonly applyUpdates?: (state: State, updates: readonly Update[]) => State;
}

/** Sends a state to a page: the whole state at first, then each change of it, one after the other. */
export class StateSender<State = unknown, Update = never> {
  readonly #options: StateSenderOptions<State, Update>;
  #sent: State | undefined;
  /** Messages that the page applied to the state sent last. */
  #updates: Update[] = [];
  #last = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: StateSenderOptions<State, Update>) {
    this.#options = options;
  }

  /** Sends the whole state next, because another page receives it. */
  restart(): void {
    this.#sent = undefined;
    this.#updates = [];
  }

  /** Records another message to the page that changes the state there. Call it when the message is sent. */
  follow(update: Update): void {
    // A page without a state ignores updates.
    if (this.#sent !== undefined) this.#updates.push(update);
  }

  /** Sends fields that changed, without reading the others. */
  sendFields(fields: Partial<State>): void {
    const before = this.#shown();
    if (before !== undefined) this.#sendChange(before, { ...before, ...fields });
  }

  /**
   * Reads the state, and sends what changed. Calls during a read lead to one more read.
   * @throws errors of the read
   */
  send(): Promise<void> {
    this.#next ??= this.#last = this.#last
      // The caller of the earlier read gets its error.
      .catch(() => undefined)
      .then(async () => {
        this.#next = undefined;
        const { read, snapshot } = this.#options;
        const state = await read();
        this.#sendChange(this.#shown(), snapshot?.(state) ?? state);
      });
    return this.#next;
  }

  /** Returns the state that the page shows; undefined if it shows none. */
  #shown(): State | undefined {
    const { applyUpdates } = this.#options;
    const updates = this.#updates.splice(0);
    if (this.#sent !== undefined && updates.length > 0)
      this.#sent = applyUpdates?.(this.#sent, updates) ?? this.#sent;
    return this.#sent;
  }

  #sendChange(before: State | undefined, after: State): void {
    const change = changeOf(before, after);
    this.#sent = after;
    if (change !== undefined) this.#options.send(change);
  }
}
