import { useEffect, useState } from 'preact/hooks';

/** What this browser remembers between visits. Where it may not, the value lasts as long as the page. */
const memory = new Map<string, string>();

const readStored = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`console.${name}`) ?? memory.get(name);
  } catch {
    // Storage can be forbidden by the browser's settings.
    return memory.get(name);
  }
};

const writeStored = (name: string, value: string | undefined): void => {
  if (value === undefined) memory.delete(name);
  else memory.set(name, value);
  try {
    if (value === undefined) localStorage.removeItem(`console.${name}`);
    else localStorage.setItem(`console.${name}`, value);
  } catch {
    // Full or forbidden: the value in memory stays.
  }
};

const listeners = new Set<(name: string) => void>();

export const readPreference = readStored;

export const writePreference = (name: string, value: string | undefined): void => {
  writeStored(name, value);
  for (const listener of listeners) listener(name);
};

// Another tab wrote it.
addEventListener('storage', ({ key }) => {
  const name = key?.startsWith('console.') === true ? key.slice('console.'.length) : undefined;
  if (name !== undefined) for (const listener of listeners) listener(name);
});

/** A preference that changes everywhere on the page at once, and in other tabs. */
export const usePreference = (
  name: string,
): readonly [string | undefined, (value: string | undefined) => void] => {
  const [value, setValue] = useState(() => readStored(name));
  useEffect(() => {
    const listener = (changed: string): void => {
      if (changed === name) setValue(readStored(name));
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [name]);
  return [value, (next) => writePreference(name, next)];
};
