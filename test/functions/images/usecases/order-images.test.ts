import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ImageChargeRecord } from '../../../../functions/billing/domain/charges.ts';
import type { ImageConversion } from '../../../../functions/catalogue/domain/image-conversion.ts';
import type { ImageService } from '../../../../functions/images/usecases/generate-image.ts';
import { collectImages, orderImages } from '../../../../functions/images/usecases/order-images.ts';
import { invalidField } from '../../../../functions/platform/domain/errors.ts';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import type { ImageAnswer, ImageRequest } from '../../../../functions/upstream/domain/image-request.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { GENERATED_IMAGE, IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { callAtOnce } from '../../../support/in-memory/call.ts';
import { MemoryCharges } from '../../../support/in-memory/charges.ts';
import { imageChargesPort, keepingPort, MemoryKeptImages } from '../../../support/in-memory/kept-images.ts';
import { ONLY, onlyPool } from '../../../support/in-memory/upstreams.ts';
import { slowly } from '../../../support/slowly.ts';

const MINUTE = 60_000;
const BUSY = new UpstreamError('busy', 'too many', { httpStatus: 429 });
const jpeg = (base64: string) => ({ mimeType: 'image/jpeg', base64 });
const LEFT: ImageAnswer = { ...GENERATED_IMAGE, promptImageTokens: 1, image: jpeg('AAEC') };
const RIGHT: ImageAnswer = { ...GENERATED_IMAGE, image: jpeg('AwQF') };

/** A service whose upstream returns these answers in order; undefined never returns. */
const world = (...answers: readonly (ImageAnswer | Error | undefined)[]) => {
  const state = { now: 1_000_000_000, calls: 0, requests: 0 };
  const kept = new MemoryKeptImages();
  const charges = new MemoryCharges<ImageChargeRecord>();
  const errors: unknown[] = [];
  const keeping = keepingPort(kept);
  const service: ImageService = {
    upstreams: [ONLY],
    pool: onlyPool(() => 0).pool,
    generator: {
      generate: () => {
        const answer = answers[state.calls];
        state.calls += 1;
        if (answer === undefined) return new Promise(() => {});
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    charges: imageChargesPort(charges, kept, callAtOnce),
    limiter: buildLimiter(),
    keeping,
    logger: { info: () => {}, error: (event, _, fields) => void errors.push([event, fields]) },
    now: () => state.now,
    prices: { currency: 'USD', videoSecond: {}, image: { '2K': '0.10' } },
    timeoutMs: 1000,
    retryDelayMs: 1,
  };
  const start = (
    key: string | undefined,
    count = 1,
    request: ImageRequest = IMAGE_REQUEST,
    changes: Partial<ImageService> & {
      load?: () => Promise<ImageRequest>;
      conversion?: ImageConversion;
    } = {},
  ) => {
    state.requests += 1;
    const { load = async () => request, conversion, ...parts } = changes;
    const caller = { account: 'a', keyId: 'k' };
    const requestId = `r${state.requests}`;
    return orderImages(
      { ...service, ...parts },
      { caller, requestId, request, load, count, idempotencyKey: key, conversion },
    );
  };
  const order = async (...given: Parameters<typeof start>) => collectImages((await start(...given)).images);
  const withClaims = (changes: Partial<typeof keeping.claims>) => ({
    ...keeping,
    claims: { ...keeping.claims, ...changes },
  });
  return { state, kept, charges, errors, service, start, order, claims: keeping.claims, withClaims };
};

describe('a repeated request with an Idempotency-Key', () => {
  test('returns the stored image with its text and tokens, and is not charged', async () => {
    const { order, charges, state } = world(LEFT);
    const [first] = (await order('key')).made;
    const [again] = (await order('key')).made;
    assert.deepEqual([state.calls, charges.all().length], [1, 1]);
    assert.match(first.file?.id ?? '', /^file_/);
    const inlineData = { mimeType: 'image/jpeg', data: 'AAEC' };
    const content = { role: 'model', parts: [{ text: 'Here' }, { inlineData }] };
    assert.deepEqual(again, {
      ...LEFT,
      document: {
        candidates: [{ content, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
      },
      contentCredentials: undefined,
      completedAt: 1_000_000_000,
      file: { account: 'a', id: first.file?.id, name: `${first.file?.id}.jpg`, mimeType: 'image/jpeg' },
    });
  });

  test('is a new request without a key, with another key, and after its time', async () => {
    const { order, charges, state, service } = world(LEFT, LEFT, LEFT, LEFT);
    await order(undefined);
    await order('one');
    await order('other');
    state.now += service.keeping?.retentionMs ?? 0;
    await order('one');
    assert.equal(charges.all().length, 4);
  });

  for (const [title, count, request, conversion] of [
    ['another prompt', 1, { ...IMAGE_REQUEST, systemInstruction: 'other' }, undefined],
    ['another number', 2, IMAGE_REQUEST, undefined],
    ['other options', 1, IMAGE_REQUEST, { format: 'png' }],
  ] as const)
    test(`is refused with ${title}`, async () => {
      const { order, state } = world(LEFT);
      await order('key');
      await assert.rejects(order('key', count, request, conversion && { conversion }), {
        code: 'idempotency_key_reused',
      });
      assert.equal(state.calls, 1);
    });

  test('is refused while the first one is running, and takes over when that must have died', async () => {
    const { start, order, charges, state, withClaims } = world(undefined, LEFT);
    await start('key');
    state.now += 6 * MINUTE - 1;
    await assert.rejects(order('key'), { code: 'request_in_progress' });
    state.now += 1;
    const keeping = withClaims({ renew: async () => false });
    await assert.rejects(order('key', 1, IMAGE_REQUEST, { keeping }), { code: 'request_in_progress' });
    const [made] = (await order('key')).made;
    assert.deepEqual([made.image.base64, charges.all().map(({ id }) => id)], ['AAEC', ['img_r1']]);
  });

  test('starts anew if no image was made, even as another request', async () => {
    const { order, charges, claims, withClaims } = world(BUSY, BUSY, RIGHT);
    const keeping = withClaims({ release: slowly(claims.release) });
    await assert.rejects(order('key', 2, IMAGE_REQUEST, { keeping }), { code: 'rate_limited' });
    const [made] = (await order('key')).made;
    assert.deepEqual([made.image.base64, charges.all().length], ['AwQF', 1]);
  });

  test('returns the failures beside the images, and does not tell of a defect', async () => {
    const { order, state } = world(LEFT, BUSY, new Error('a defect'));
    const [first, again] = [await order('key', 3), await order('key', 3)];
    for (const { made, failures } of [first, again])
      assert.deepEqual([made.length, Object(failures[0]?.error).code], [1, 'rate_limited']);
    assert.deepEqual([state.calls, again.failures.map(({ index }) => index)], [3, [1, 2]]);
    assert.match(String(again.failures[1]?.error), /Something went wrong on our side\.$/);
  });

  test('may have images that nobody reads', async () => {
    const { start } = world(LEFT, BUSY);
    for (const _ of ['first', 'repeated']) {
      const { images } = await start('key', 2);
      await images[0];
      await setImmediate();
    }
  });

  test('returns the failure of an image that was charged but could not be converted', async () => {
    const { order, state, charges } = world(LEFT);
    const convert = () => Promise.reject(new Error('broken'));
    for (const _ of ['first', 'repeated'])
      await assert.rejects(order('key', 1, IMAGE_REQUEST, { convert, conversion: { format: 'png' } }), {
        code: 'image_not_converted',
        message: /could not be converted/,
      });
    assert.deepEqual([state.calls, charges.all().length], [1, 1]);
  });

  test('starts anew if a limit or a missing file refused the first', async () => {
    const { order } = world(LEFT);
    const load = () => Promise.reject(invalidField('image', 'image: file not found.'));
    await assert.rejects(order('key', 1, IMAGE_REQUEST, { load }), { code: 'invalid_request' });
    const limiter = buildLimiter({ createsPerMinute: 0 });
    await assert.rejects(order('key', 1, IMAGE_REQUEST, { limiter }), { code: 'insufficient_quota' });
    assert.equal((await order('key')).made.length, 1);
  });

  test('does not need the files of the first', async () => {
    const { order } = world(LEFT);
    await order('key');
    const load = () => Promise.reject(invalidField('image', 'image: file not found.'));
    assert.equal((await order('key', 1, IMAGE_REQUEST, { load })).made.length, 1);
  });

  test('is refused if the image has been deleted', async () => {
    const { order, kept } = world(LEFT);
    await order('key');
    kept.files.clear();
    await assert.rejects(order('key'), { code: 'idempotency_key_reused', message: /is deleted/ });
  });

  test('makes only the image whose charge could not be recorded', async () => {
    const { order, service, charges, state, errors, withClaims } = world(LEFT, RIGHT, RIGHT);
    const keeping = withClaims({ saveFailures: () => assert.fail('there is none') });
    const record: ImageService['charges']['record'] = (charge, ...others) =>
      charge.id === 'img_r1_1'
        ? Promise.reject(new Error('away'))
        : service.charges.record(charge, ...others);
    const { made, failures } = await order('key', 2, IMAGE_REQUEST, { charges: { record }, keeping });
    assert.deepEqual([made.length, failures.map(({ index }) => index)], [1, [1]]);
    assert.equal((await order('key', 2)).made.length, 2);
    assert.deepEqual([state.calls, charges.all().map(({ id }) => id)], [3, ['img_r1', 'img_r1_1']]);
    assert.equal(errors.length, 1);
  });

  test('returns the image whose charge was recorded although the answer was lost', async () => {
    const { order, service, charges, state } = world(LEFT);
    const record: ImageService['charges']['record'] = async (...given) => {
      await service.charges.record(...given);
      throw new Error('answer lost');
    };
    await assert.rejects(order('key', 1, IMAGE_REQUEST, { charges: { record } }), { code: 'overloaded' });
    assert.equal((await order('key')).made.length, 1);
    assert.deepEqual([state.calls, charges.all().length], [1, 1]);
  });

  test('fails with its own error if the claim cannot be ended', async () => {
    const { order, withClaims, errors } = world(BUSY);
    const keeping = withClaims({ release: () => Promise.reject(new Error('away')) });
    await assert.rejects(order('key', 1, IMAGE_REQUEST, { keeping }), { code: 'rate_limited' });
    assert.deepEqual(errors, [['image claim not ended', { account: 'a', requestId: 'r1' }]]);
  });

  test('is made again if images are not stored', async () => {
    const { order, charges } = world(LEFT, RIGHT);
    for (const image of [LEFT, RIGHT]) {
      const [made] = (await order('key', 1, IMAGE_REQUEST, { keeping: undefined })).made;
      assert.deepEqual([made.image, made.file], [image.outcome === 'image' && image.image, undefined]);
    }
    assert.equal(charges.all().length, 2);
  });
});
