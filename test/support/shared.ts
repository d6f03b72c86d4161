import { startServer } from './server.ts';

/** Something that JSON can carry from the runner to a test file, and how to end it. */
export type Made<Value> = { readonly value: Value; readonly close: () => Promise<void> };

const ADDRESS = 'TEST_SHARED_ADDRESS';

/** For the runner: makes each thing once for each wish, when the first test file asks for it. */
export const share = async (
  makers: Readonly<Record<string, (wish: string) => Promise<Made<unknown>>>>,
): Promise<() => Promise<void>> => {
  const made = new Map<string, Promise<Made<unknown>>>();
  const make = (path: string): Promise<Made<unknown>> => {
    const [name = '', wish = ''] = path.slice(1).split('?');
    const found =
      made.get(path) ??
      makers[name]?.(decodeURIComponent(wish)) ??
      Promise.reject(new Error(`nobody makes ${name}`));
    made.set(path, found);
    return found;
  };
  const { url, close } = await startServer((request, response) => {
    // A file that asks again seconds later would find a connection that has just been closed for idleness.
    response.setHeader('connection', 'close');
    make(request.url ?? '').then(
      ({ value }) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  process.env[ADDRESS] = url;
  return async () => {
    await close();
    for (const result of await Promise.allSettled(made.values()))
      if (result.status === 'fulfilled') await result.value.close();
  };
};

/** For a test file: what the runner shares, or, for a file that runs alone, one of its own. */
export const shared = async <Value>(
  name: string,
  make: (wish: string) => Promise<Made<Value>>,
  wish = '',
): Promise<Made<Value>> => {
  const address = process.env[ADDRESS];
  if (address === undefined) return make(wish);
  const response = await fetch(`${address}/${name}?${encodeURIComponent(wish)}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`the runner cannot make the ${name}: ${text}`);
  return { value: JSON.parse(text), close: async () => {} };
};
