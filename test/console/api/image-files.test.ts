import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { ApiError } from '../../../console/api/errors.ts';

type Files = {
  readonly uploadImage: (image: File) => Promise<string>;
  readonly forgetImages: (images: readonly File[]) => void;
};

// The module reads `document`, and its types are those of a browser.
Object.assign(globalThis, { document: { documentElement: { dataset: {} } } });
const address = new URL('../../../console/api/image-files.ts', import.meta.url).href;
const { uploadImage, forgetImages }: Files = await import(address);

const HOUR = 3600;
const START = 1_800_000_000_000;
const realTimeout = globalThis.setTimeout;

/** A service that creates files, and a store that responds to each upload with the next status; 0 means no response. */
const world = (context: TestContext, statuses: readonly number[], lifetimeSeconds = 24 * HOUR) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
  context.after(() => mock.timers.reset());
  const orders: unknown[] = [];
  const uploads: string[] = [];
  context.mock.method(globalThis, 'fetch', async (_: string, { body }: { body: string }) => {
    orders.push(JSON.parse(body));
    return Response.json({
      id: `file_${orders.length}`,
      expires_at: Date.now() / 1000 + lifetimeSeconds,
      upload: { url: 'https://store.test/1', method: 'PUT', headers: { 'content-type': 'image/png' } },
    });
  });
  class Request {
    readonly upload = { onprogress: () => {} };
    readonly #sent: string[] = [];
    status = 0;
    onload = () => {};
    onerror = () => {};
    open = (method: string, url: string): void => void this.#sent.push(method, url);
    setRequestHeader = (name: string, value: string): void => void this.#sent.push(`${name}: ${value}`);
    send = (): void => {
      this.status = statuses[uploads.length] ?? 500;
      uploads.push(this.#sent.join(' '));
      queueMicrotask(() => (this.status === 0 ? this.onerror() : this.onload()));
    };
  }
  Object.assign(globalThis, { XMLHttpRequest: Request });
  context.after(() => Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));
  /** Waits until all retries are over. The hash is computed in real time, in a thread, and pauses follow an upload. */
  const settled = async <Result>(result: Promise<Result>): Promise<PromiseSettledResult<Result>> => {
    const before = uploads.length;
    const outcome = Promise.allSettled([result]);
    let isOver = false;
    void outcome.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => realTimeout(resolve, 1));
      if (uploads.length > before) mock.timers.tick(1000);
    }
    const [first] = await outcome;
    return first;
  };
  return { orders, uploads, settled };
};

const picture = (name = 'a.png') => new File([Uint8Array.of(1, 2, 3)], name, { type: 'image/png' });

test('an image is announced with its hash and uploaded to the store', async (context) => {
  const { orders, uploads, settled } = world(context, [200]);
  assert.deepEqual(await settled(uploadImage(picture())), { status: 'fulfilled', value: 'file_1' });
  assert.deepEqual(orders, [
    {
      filename: 'a.png',
      bytes: 3,
      mime_type: 'image/png',
      purpose: 'vision',
      sha256: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
    },
  ]);
  assert.deepEqual(uploads, ['PUT https://store.test/1 content-type: image/png']);
});

for (const [name, statuses, uploadCount] of [
  ['arrived although its answer was lost', [0, 412], 2],
  ['met a store in trouble twice', [503, 500, 204], 3],
] as const)
  test(`an upload that ${name} succeeds`, async (context) => {
    const { orders, uploads, settled } = world(context, statuses);
    assert.deepEqual(await settled(uploadImage(picture())), { status: 'fulfilled', value: 'file_1' });
    assert.deepEqual([orders.length, uploads.length], [1, uploadCount]);
  });

for (const status of [301, 400, 403, 413])
  test(`an upload that the store rejects with ${status} fails at once`, async (context) => {
    const { uploads, settled } = world(context, [status]);
    const outcome = await settled(uploadImage(picture()));
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ApiError);
    assert.equal(outcome.reason.status, status);
    assert.equal(uploads.length, 1);
  });

test('an image is not uploaded again while its file is valid for another hour', async (context) => {
  const image = picture();
  const { orders, settled } = world(context, [200, 200, 200], 2 * HOUR);
  await settled(uploadImage(image));
  mock.timers.setTime(START + (HOUR - 10) * 1000);
  assert.deepEqual(await settled(uploadImage(image)), { status: 'fulfilled', value: 'file_1' });
  mock.timers.setTime(START + (HOUR + 10) * 1000);
  assert.deepEqual(await settled(uploadImage(image)), { status: 'fulfilled', value: 'file_2' });
  forgetImages([image]);
  assert.deepEqual(await settled(uploadImage(image)), { status: 'fulfilled', value: 'file_3' });
  assert.equal(orders.length, 3);
});

for (const [name, sent] of [
  [`${'a'.repeat(300)}.png`, `${'a'.repeat(251)}.png`],
  ['a\u0000b.png', 'a b.png'],
  ['  ', 'image'],
] as const)
  test(`a name of ${name.length} characters is shortened to ${sent.length}`, async (context) => {
    const { orders, settled } = world(context, [200]);
    await settled(uploadImage(picture(name)));
    const names = orders.map((order) => Object(order).filename);
    assert.deepEqual(names, [sent]);
  });
