/** A value outside of all components, which follow its changes. */
export const createStore = <Value>(initial: Value) => {
  const listeners = new Set<(value: Value) => void>();
  let value = initial;
  return {
    get: (): Value => value,
    set: (next: Value): void => {
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    /** Returns a function that ends it. */
    subscribe: (listener: (value: Value) => void): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

export type Store<Value> = ReturnType<typeof createStore<Value>>;
