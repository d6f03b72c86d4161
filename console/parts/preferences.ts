import { useEffect, useState } from 'preact/hooks';

const PREFIX = 'console.';

/** Used when the browser refuses storage; lasts until the page is closed. */
const memory = new Map<string, string>();
const listeners = new Set<(name: string) => void>();

/** A value that the browser keeps between visits. */
export const readPreference = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`${PREFIX}${name}`) ?? memory.get(name);
  } catch {
    return memory.get(name);
  }
};

export const writePreference = (name: string, value: string | undefined): void => {
  if (value === undefined) memory.delete(name);
  else memory.set(name, value);
  try {
    if (value === undefined) localStorage.removeItem(`${PREFIX}${name}`);
    else localStorage.setItem(`${PREFIX}${name}`, value);
  } catch {
    // Full or refused: the value in memory stays.
  }
  for (const listener of listeners) listener(name);
};

// Changes made in another tab.
addEventListener('storage', ({ key }) => {
  const name = key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : undefined;
  if (name !== undefined) for (const listener of listeners) listener(name);
});

/** Follows changes made elsewhere on the page and in other tabs. */
export const usePreference = (
  name: string,
): readonly [string | undefined, (value: string | undefined) => void] => {
  const [value, setValue] = useState(() => readPreference(name));
  useEffect(() => {
    const listener = (changed: string): void => {
      if (changed === name) setValue(readPreference(name));
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [name]);
  return [value, (next) => writePreference(name, next)];
};

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

export const applyTheme = (): void => {
  const theme = readPreference('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};

export const chooseTheme = (theme: Theme): void => {
  writePreference('theme', theme === 'system' ? undefined : theme);
  applyTheme();
};
