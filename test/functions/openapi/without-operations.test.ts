import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutOperations } from '../../../functions/openapi/without-operations.ts';

const operation = (operationId: string, tag: string) => ({ operationId, tags: [tag], summary: operationId });

const TEXT = JSON.stringify({
  openapi: '3.1.1',
  tags: [{ name: 'Videos', description: 'x' }, { name: 'Shares' }],
  paths: {
    '/v1/videos': { get: operation('listVideos', 'Videos'), post: operation('createVideo', 'Videos') },
    '/v1/shares': { get: operation('listShares', 'Shares') },
  },
});

test('left-out operations take with them the paths and tags that only they have', () => {
  const left = JSON.parse(withoutOperations(TEXT, ['createVideo', 'listShares']));
  assert.deepEqual(left, {
    openapi: '3.1.1',
    tags: [{ name: 'Videos', description: 'x' }],
    paths: { '/v1/videos': { get: operation('listVideos', 'Videos') } },
  });
});

test('a document without left-out operations is unchanged', () => {
  assert.equal(withoutOperations(TEXT, []), TEXT);
});
