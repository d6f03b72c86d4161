/** Computes a value once for each object that never changes, such as an upstream of the settings. */
export const onceFor = <Key extends object, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const computed = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = computed.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    computed.set(key, { value });
    return value;
  };
};
