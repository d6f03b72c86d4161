import { useStore } from '../api/hooks.ts';
import { createStore } from '../api/query.ts';

const PREFIX = 'console.';

/** Used when the browser refuses storage; lasts until the page is closed. */
const memory = new Map<string, string>();
/** Reports that a preference has changed. */
const changes = createStore(undefined);

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
  changes.set(undefined);
};

/** A value of this tab, also after a reload. */
export const readTabValue = (name: string): string | undefined => {
  try {
    return sessionStorage.getItem(`${PREFIX}${name}`) ?? undefined;
  } catch {
    return undefined;
  }
};

export const writeTabValue = (name: string, value: string): void => {
  try {
    sessionStorage.setItem(`${PREFIX}${name}`, value);
  } catch {
    // The browser refuses storage: the value is lost with the page.
  }
};

let tab: string | undefined;

/** Names this tab. */
export const currentTab = (): string => {
  if (tab !== undefined) return tab;
  tab = readTabValue('tab') ?? crypto.randomUUID();
  writeTabValue('tab', tab);
  return tab;
};

// Changes made in another tab.
addEventListener('storage', ({ key }) => {
  if (key?.startsWith(PREFIX) === true) changes.set(undefined);
});

/** Follows changes made elsewhere on the page and in other tabs. */
export const usePreference = (
  name: string,
): readonly [string | undefined, (value: string | undefined) => void] => {
  const value = useStore(changes, () => readPreference(name));
  return [value, (next) => writePreference(name, next)];
};

export const THEMES = ['system', 'light', 'dark'] as const;
export const applyTheme = (): void => {
  const theme = readPreference('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};

export const chooseTheme = (theme: (typeof THEMES)[number]): void => {
  writePreference('theme', theme === 'system' ? undefined : theme);
  applyTheme();
};

/** IndexedDB keeps images: those of drafts, and the gallery. */
const STORES = ['drafts', 'gallery'] as const;
type StoreName = (typeof STORES)[number];

const DATABASE_VERSION = 1;

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opened: Promise<IDBDatabase> | undefined;

const openDatabase = (): Promise<IDBDatabase> => {
  opened ??= (async () => {
    const request = indexedDB.open('console', DATABASE_VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORES)
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
    };
    return await settled(request);
  })();
  return opened;
};

const openStore = async (name: StoreName, mode: IDBTransactionMode): Promise<IDBObjectStore> =>
  (await openDatabase()).transaction(name, mode).objectStore(name);

export const readStored = async <Value>(name: StoreName, key: string): Promise<Value | undefined> =>
  settled<Value | undefined>((await openStore(name, 'readonly')).get(key));

export const readAllStored = async <Value>(name: StoreName): Promise<Value[]> =>
  settled<Value[]>((await openStore(name, 'readonly')).getAll());

export const writeStored = async (name: StoreName, key: string, value: unknown): Promise<void> => {
  await settled((await openStore(name, 'readwrite')).put(value, key));
};

export const removeStored = async (name: StoreName, key: string): Promise<void> => {
  await settled((await openStore(name, 'readwrite')).delete(key));
};
