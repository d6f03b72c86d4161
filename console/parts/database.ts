/** IndexedDB for images: those of drafts, and the gallery. */
const STORES = ['drafts', 'gallery'] as const;
type StoreName = (typeof STORES)[number];

const VERSION = 1;

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opened: Promise<IDBDatabase> | undefined;

const open = (): Promise<IDBDatabase> => {
  opened ??= (async () => {
    const request = indexedDB.open('console', VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORES)
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
    };
    return await settled(request);
  })();
  return opened;
};

const store = async (name: StoreName, mode: IDBTransactionMode): Promise<IDBObjectStore> =>
  (await open()).transaction(name, mode).objectStore(name);

export const readStored = async <Value>(name: StoreName, key: string): Promise<Value | undefined> =>
  settled<Value | undefined>((await store(name, 'readonly')).get(key));

export const readAllStored = async <Value>(name: StoreName): Promise<Value[]> =>
  settled<Value[]>((await store(name, 'readonly')).getAll());

export const writeStored = async (name: StoreName, key: string, value: unknown): Promise<void> => {
  await settled((await store(name, 'readwrite')).put(value, key));
};

export const removeStored = async (name: StoreName, key: string): Promise<void> => {
  await settled((await store(name, 'readwrite')).delete(key));
};
