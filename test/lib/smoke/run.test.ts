import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../../lib/smoke/run.ts';

test('only a service on this machine is taken to have the sample generator for granted', () => {
  const given = { apiKey: 'key', long: false, yes: false };
  const read = (url: string) => readOptions(['--base-url', url], { API_KEY: 'key' });
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    assert.deepEqual(read(`http://${host}/prod/`), {
      ...given,
      baseUrl: `http://${host}/prod`,
      origin: 'http://127.0.0.1:8080',
      sampleGenerator: true,
      loopback: true,
    });
  for (const host of ['api.example.com', 'localhost.example.com'])
    assert.deepEqual(read(`https://${host}/prod`), {
      ...given,
      baseUrl: `https://${host}/prod`,
      origin: undefined,
      sampleGenerator: false,
      loopback: false,
    });
});
