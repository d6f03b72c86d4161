import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as S3 from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { BucketRules } from '../../../../lib/local/emulators/s3/bucket-rules.ts';
import { sharedEmulators } from './emulated.ts';

const cloud = await sharedEmulators();
const { s3 } = cloud.clients;

/** Stores an object in a bucket; returns its presigned URL. */
const objectIn = async (Bucket: string): Promise<string> => {
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'a b', Body: 'hello' }));
  return getSignedUrl(s3, new S3.GetObjectCommand({ Bucket, Key: 'a b' }));
};
const [named, any, none] = [await objectIn('named'), await objectIn('any'), await objectIn('none')];

const preflight = (url: string, origin: string, method: string, names?: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(names === undefined ? {} : { 'access-control-request-headers': names }),
    },
  });

describe('a preflight to S3', () => {
  const CASES: readonly [
    url: string,
    origin: string,
    method: string,
    names: string | undefined,
    status: number,
  ][] = [
    [named, 'https://app.example.com', 'GET', undefined, 200],
    [named, 'http://localhost:5173', 'GET', 'range, x-own-thing', 200],
    [named, 'https://app.example.com', 'GET', 'authorization', 403],
    [named, 'https://app.example.com', 'HEAD', undefined, 403],
    [named, 'https://other.example.com', 'GET', undefined, 403],
    [named, 'null', 'GET', undefined, 403],
    [any, 'null', 'GET', 'x-stainless-lang, authorization', 200],
    [any, 'null', 'PUT', undefined, 403],
    [none, 'https://app.example.com', 'GET', undefined, 403],
  ];
  for (const [url, origin, method, names, status] of CASES)
    test(`is ${status} in the bucket ${new URL(url).pathname} for ${method} of ${origin} with ${names}`, async () => {
      const answer = await preflight(url, origin, method, names);
      assert.equal(answer.status, status, await answer.text());
      assert.equal(answer.headers.has('access-control-allow-origin'), status === 200);
    });

  test('needs an origin and a method', async () => {
    const without = await fetch(any, { method: 'OPTIONS' });
    assert.deepEqual(
      [without.status, /Origin request header needed/.test(await without.text())],
      [400, true],
    );
    assert.equal((await fetch(any, { method: 'OPTIONS', headers: { origin: 'null' } })).status, 400);
  });
});

describe('a response of S3', () => {
  const told = async (url: string, origin?: string) => {
    const { status, headers } = await fetch(url, { headers: origin === undefined ? {} : { origin } });
    const name = (header: string) => headers.get(`access-control-${header}`);
    return [status, name('allow-origin'), name('allow-credentials'), name('expose-headers')];
  };

  test('allows the origin with credentials, or any origin without', async () => {
    const origin = 'https://app.example.com';
    assert.deepEqual(await told(named, origin), [200, origin, 'true', null]);
    assert.deepEqual(await told(any, 'null'), [200, '*', null, 'ETag']);
    assert.deepEqual(await told(named, 'https://other.example.com'), [200, null, null, null]);
    assert.deepEqual(await told(any), [200, null, null, null]);
    assert.deepEqual(await told(none, origin), [200, null, null, null]);
  });

  test('can be read if it is an error', async () => {
    const forged = any.replace(/Signature=(.)/, (_, digit) => `Signature=${digit === '0' ? 1 : 0}`);
    assert.deepEqual(await told(forged, 'null'), [403, '*', null, 'ETag']);
  });
});

test('rejects the rules of a bucket that S3 rejects', () => {
  const rule = { AllowedOrigins: ['*'], AllowedMethods: ['GET'] };
  const isValid = (...CorsRules: object[]) =>
    BucketRules.safeParse({ CorsConfiguration: { CorsRules } }).success;
  assert.ok(isValid(rule));
  assert.ok(!isValid());
  for (const wrong of [
    { AllowedOrigins: ['*.*'] },
    { AllowedOrigins: [] },
    { AllowedMethods: ['PATCH'] },
    { AllowedHeaders: ['*-*'] },
  ])
    assert.ok(!isValid({ ...rule, ...wrong }), JSON.stringify(wrong));
});
