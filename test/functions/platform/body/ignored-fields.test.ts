import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IgnoredFields, ignoredHeaders } from '../../../../functions/platform/body/ignored-fields.ts';

describe('the fields that are not applied', () => {
  test('have the path of the object that has them, without the numbers of items', () => {
    const [first, second] = [{ name: 'a' }, { name: 'b' }];
    const body = { user: 'u', metadata: { tags: { campaign: 'spring' } }, messages: [first, second] };
    const ignored = new IgnoredFields();
    for (const place of [second, first]) ignored.note(place, 'name');
    ignored.note(body.metadata.tags, 'campaign');
    for (const _ of ['once', 'twice']) ignored.note(body, 'user');
    assert.deepEqual(ignored.pathsIn(body), ['user', 'metadata.tags.campaign', 'messages[].name']);
  });

  test('have only characters that a header can carry', () => {
    const body = { 'a, b\r\nx: y': 1, ü: 2, '\ud83d': 3 };
    const ignored = new IgnoredFields();
    for (const name of Object.keys(body)) ignored.note(body, name);
    assert.deepEqual(ignored.pathsIn(body), ['a%2C%20b%0D%0Ax%3A%20y', '%C3%BC', '%EF%BF%BD']);
  });
});

describe('the header x-ignored-parameters', () => {
  test('lists the names', () => {
    assert.deepEqual(ignoredHeaders([]), {});
    assert.deepEqual(ignoredHeaders(['user', 'metadata.a']), { 'x-ignored-parameters': 'user, metadata.a' });
  });

  test('has at most 50 names and 1,000 characters', () => {
    const many = Array.from({ length: 60 }, (_, position) => `n${position}`);
    assert.equal(ignoredHeaders(many)['x-ignored-parameters']?.split(', ').length, 50);
    const [long, short] = ['x'.repeat(600), 'short'];
    assert.deepEqual(ignoredHeaders([long, 'y'.repeat(600), short]), {
      'x-ignored-parameters': `${long}, ${short}`,
    });
    assert.deepEqual(ignoredHeaders(['x'.repeat(1001)]), {});
  });
});
