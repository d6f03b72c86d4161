import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { Base64, jsonBody } from '../../../../functions/upstream/adapters/json-body.ts';

const sent = (init: RequestInit) => new Response(init.body ?? null).text();
const contentLength = (init: RequestInit) => new Headers(init.headers).get('content-length');

describe('the body of a request to the upstream', () => {
  const LENGTHS = [0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000];
  for (const length of LENGTHS)
    test(`has an image of ${length} bytes in Base64 and the right content-length`, async () => {
      const bytes = randomBytes(length + 5).subarray(5);
      const value = {
        a: ['ü "\\ 🦊', { data: new Base64(bytes) }, { data: new Base64(bytes) }],
        z: undefined,
      };
      const init = jsonBody(value);
      const text = await sent(init);
      const data = bytes.toString('base64');
      assert.equal(text, JSON.stringify({ a: ['ü "\\ 🦊', { data }, { data }] }));
      assert.equal(contentLength(init), String(Buffer.byteLength(text)));
    });

  test('is a string if there is no image', () => {
    assert.equal(jsonBody({ prompt: 'A fox' }).body, '{"prompt":"A fox"}');
  });

  test('is sent in small pieces', async () => {
    const { body } = jsonBody([new Base64(Buffer.alloc(1_000_000))]);
    const lengths: number[] = [];
    for await (const piece of new Response(body ?? null).body ?? []) lengths.push(piece.length);
    assert.ok(lengths.length > 10 && Math.max(...lengths) <= 65_536, String(lengths));
  });
});
