import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import {
  dynamoClaims,
  findClaim,
  readClaim,
  resultWrite,
  toItem,
} from '../../../../functions/images/adapters/dynamo-claims.ts';
import {
  claimId,
  type ImageClaim,
  type ImageClaims,
  type ImageResult,
} from '../../../../functions/images/domain/kept-image.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { describeStores } from '../../../support/contract.ts';
import { createTable } from '../../../support/create-table.ts';
import { keepingPort, MemoryKeptImages } from '../../../support/in-memory/kept-images.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const TableName = 'claims';
await createTable(client, TableName, ['account', 'id']);

const newClaim = (id: string, changes: Partial<ImageClaim> = {}): ImageClaim => ({
  account: 'acme',
  id: `request_${id}`,
  fingerprint: 'print',
  requestId: `r-${id}`,
  count: 2,
  createdAt: 1000,
  at: 1000,
  expiresAt: 9000,
  results: new Map(),
  ...changes,
});
const IMAGE: ImageResult = {
  outcome: 'image',
  text: 'A fox',
  cutShort: false,
  tokens: { prompt: 1, output: 2, total: 3 },
  promptImageTokens: undefined,
  contentCredentials: undefined,
  completedAt: 1000,
};
const CONVERTED: ImageResult = { ...IMAGE, promptImageTokens: 258, contentCredentials: 'removed' };
const FAILURE: ImageResult = { outcome: 'failed', code: 'content_blocked', message: 'No.' };

type Store = {
  readonly claims: ImageClaims;
  readonly read: (claim: ImageClaim) => Promise<ImageClaim | undefined>;
  /** As the transaction does that records the image. */
  readonly addImage: (claim: ImageClaim, index: number, image: ImageResult) => Promise<unknown>;
};
const kept = new MemoryKeptImages();
const stores: Record<'memory' | 'dynamo', Store> = {
  memory: {
    claims: keepingPort(kept).claims,
    read: async ({ id }) => kept.claims.get(id),
    addImage: async (claim, index, image) => kept.save(claim, [[index, image]]),
  },
  dynamo: {
    claims: dynamoClaims(client, TableName),
    read: async ({ account, id }) => {
      const { Item } = await client.send(new GetItemCommand({ TableName, Key: encode({ account, id }) }));
      return Item && readClaim(Item);
    },
    addImage: (claim, index, image) =>
      client.send(
        new TransactWriteItemsCommand({ TransactItems: [resultWrite(TableName, claim, index, image)] }),
      ),
  },
};

describeStores('a claim', stores, ({ claims, read, addImage }: Store) => {
  test('is written once', async () => {
    const claim = newClaim('once');
    assert.equal(await claims.add(claim, 1000), undefined);
    assert.deepEqual(await claims.add({ ...claim, requestId: 'other' }, 8999), claim);
  });

  test('is its own if the response of the write was lost', async () => {
    const claim = newClaim('lost');
    await claims.add(claim, 1000);
    assert.equal(await claims.add(claim, 1000), undefined);
  });

  test('is replaced after its time', async () => {
    const claim = newClaim('late');
    await claims.add(claim, 1000);
    const later = { ...claim, requestId: 'later', at: 9000, expiresAt: 20_000 };
    assert.equal(await claims.add(later, 9000), undefined);
    assert.deepEqual(await read(claim), later);
  });

  test('gets the results of its images and failures', async () => {
    const claim = newClaim('results', { count: 3 });
    await claims.add(claim, 1000);
    await addImage(claim, 1, IMAGE);
    await addImage(claim, 2, CONVERTED);
    await claims.saveFailures(claim, new Map([[0, FAILURE]]));
    const stored = [...((await read(claim))?.results ?? [])].toSorted(([one], [other]) => one - other);
    assert.deepEqual(stored.flat(), [0, FAILURE, 1, IMAGE, 2, CONVERTED]);
  });

  test('is taken over by one request only', async () => {
    const claim = newClaim('taken');
    await claims.add(claim, 1000);
    const taken = await Promise.all([claims.renew(claim, 5000), claims.renew(claim, 5001)]);
    assert.deepEqual(taken, [true, false]);
    assert.equal((await read(claim))?.at, 5000);
    await claims.leave(claim);
    assert.equal((await read(claim))?.at, 5000, 'a request that lost it does not change it');
  });

  test('that is left keeps its results; one that is released without results is free', async () => {
    const left = newClaim('left', { results: new Map([[0, IMAGE]]) });
    const free = newClaim('free');
    for (const claim of [left, free]) {
      await claims.add(claim, 1000);
      await claims.release(claim);
    }
    assert.deepEqual(await read(left), { ...left, at: 0 });
    assert.equal(await claims.add({ ...free, fingerprint: 'other', requestId: 'next' }, 2000), undefined);
    await claims.leave((await read(free)) ?? assert.fail());
    assert.deepEqual((await claims.add(free, 2000))?.fingerprint, 'other');
  });

  test('is not free if an image was recorded since it was read', async () => {
    const claim = newClaim('since');
    await claims.add(claim, 1000);
    await claims.saveFailures(claim, new Map([[0, FAILURE]]));
    await claims.release(claim);
    assert.deepEqual(await read(claim), { ...claim, at: 0, results: new Map([[0, FAILURE]]) });
  });
});

test('a claim is found by its key until it expires', async () => {
  const claim = newClaim('found', { id: claimId('acme', 'key') });
  await stores.dynamo.claims.add(claim, 1000);
  const find = findClaim(client, TableName);
  assert.deepEqual(await find('acme', 'key', 8999), claim);
  assert.deepEqual([await find('acme', 'key', 9000), await find('acme', 'other', 0)], [undefined, undefined]);
});

test('a stored claim that is corrupt is reported, and others expire in seconds', () => {
  assert.deepEqual(toItem(newClaim('late', { expiresAt: 9001 })).expires, { N: '10' });
  const item = toItem(newClaim('corrupt', { results: new Map([[0, FAILURE]]) }));
  assert.throws(() => readClaim({ ...item, at: { S: 'x' } }), /corrupt: at/);
  const failed = encode({ results: { 0: { outcome: 'failed', code: 'x', message: '' } } });
  assert.throws(() => readClaim({ ...item, ...failed }), /corrupt: code/);
  const unknown = encode({ results: { 0: { ...IMAGE, contentCredentials: 'kept' } } });
  assert.throws(() => readClaim({ ...item, ...unknown }), /corrupt: contentCredentials/);
});
