import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImageChargeRecord } from '../../../../functions/billing/domain/charges.ts';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { fileKey } from '../../../../functions/files/domain/file-keys.ts';
import { type ImageService, startImages } from '../../../../functions/images/usecases/generate-image.ts';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import {
  type ImageAnswer,
  type ImageRequest,
  imagePart,
  textPart,
} from '../../../../functions/upstream/domain/image-request.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { GENERATED_IMAGE, IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { PNG, WEBP } from '../../../support/images.ts';
import { accountsPort, MemoryAccounts } from '../../../support/in-memory/accounts.ts';
import { keepingPort, MemoryKeptImages } from '../../../support/in-memory/kept-images.ts';
import { ONLY, onlyPool } from '../../../support/in-memory/upstreams.ts';
import { slowly } from '../../../support/slowly.ts';

/** A service whose upstream returns these answers in order. */
const serviceWith = (answers: readonly (ImageAnswer | Error)[], changes: Partial<ImageService> = {}) => {
  const recorded: ImageChargeRecord[] = [];
  const errors: string[] = [];
  const logged: (readonly [event: string, fields: LogFields])[] = [];
  let calls = 0;
  const service: ImageService = {
    upstreams: [ONLY],
    pool: onlyPool(() => 0).pool,
    generator: {
      generate: async () => {
        const answer = answers[calls];
        calls += 1;
        if (answer === undefined || answer instanceof Error) throw answer;
        return answer;
      },
    },
    charges: { record: async (charge) => void recorded.push(charge) },
    limiter: buildLimiter(),
    keeping: undefined,
    logger: {
      info: (event, fields) => void logged.push([event, fields]),
      error: (event, _, fields) => {
        errors.push(event);
        logged.push([event, fields]);
      },
    },
    now: () => 1000,
    prices: { currency: 'USD', videoSecond: {}, image: { '2K': '0.10' } },
    timeoutMs: 1000,
    retryDelayMs: 1,
    ...changes,
  };
  const run = async (request: ImageRequest = IMAGE_REQUEST) => {
    const caller = { account: 'a', keyId: 'k', personId: 'p' };
    const order = { caller, requestId: 'r', request, indexes: [0] };
    return (await startImages(service, order)).images[0];
  };
  return { service, run, recorded, errors, logged, calls: () => calls };
};

const fail = (fault: UpstreamFault, details: { httpStatus?: number; retryAfterSeconds?: number } = {}) =>
  new UpstreamError(fault, "the upstream's words", details);

describe('generating an image', () => {
  const COSTLY = { ...GENERATED_IMAGE, cost: { amount: '0.0672', currency: 'USD' } };
  const CHARGE = {
    ...{ kind: 'image', id: 'img_r', account: 'a', keyId: 'k', personId: 'p', upstream: 'default' },
    ...{ model: IMAGE_MODEL, size: '2K', images: 1, time: 1000, amount: '0.10', currency: 'USD' },
  };

  test("records a charge with the price of its size and the upstream's cost", async () => {
    const { run, recorded } = serviceWith([COSTLY]);
    assert.deepEqual(await run(), { ...COSTLY, file: undefined, completedAt: CHARGE.time });
    const { cost: upstreamCost, tokens } = COSTLY;
    assert.deepEqual(recorded, [{ ...CHARGE, fileId: undefined, upstreamCost, tokens, unitPrice: '0.10' }]);
  });

  test('records 1K by default, and no amount if there is no price', async () => {
    const { run, recorded } = serviceWith([GENERATED_IMAGE]);
    await run({ ...IMAGE_REQUEST, config: { aspectRatio: '1:1', imageSize: undefined } });
    const [{ size, unitPrice, amount, currency } = {}] = recorded;
    assert.deepEqual([size, unitPrice, amount, currency], ['1K', null, null, null]);
  });

  const FAILURES = [
    ['rejected', 'upstream_rejected', 1],
    ['operator', 'upstream_unavailable', 1],
    ['exhausted', 'rate_limited', 1],
    ['busy', 'rate_limited', 1],
    ['unanswered', 'upstream_unavailable', 1],
    ['failing', 'upstream_unavailable', 2],
  ] as const;
  for (const [fault, code, attempts] of FAILURES)
    test(`is ${code} after ${attempts} call(s) when the upstream is ${fault}`, async () => {
      const error = fail(fault, { httpStatus: 500, retryAfterSeconds: 7 });
      const { run, recorded, calls } = serviceWith([error, error, GENERATED_IMAGE]);
      await assert.rejects(run(), { code, retryAfterSeconds: 7 });
      assert.equal(calls(), attempts);
      assert.deepEqual(recorded, []);
    });

  test('is not asked for again without a response', async () => {
    const { run, calls } = serviceWith([fail('failing'), GENERATED_IMAGE]);
    await assert.rejects(run(), { code: 'upstream_unavailable' });
    assert.equal(calls(), 1);
  });

  test('fails and charges by its outcome, which is logged with the account and the model', async () => {
    const facts = { requestId: 'r', account: 'a', model: IMAGE_MODEL };
    const blocked: ImageAnswer = { outcome: 'no_image', reason: 'no' };
    const CASES = [
      [GENERATED_IMAGE, undefined, ['image made', { ...facts, totalTokens: 3 }]],
      [blocked, 'content_blocked', ['image blocked', facts]],
      [fail('rejected'), 'upstream_rejected', ['image failed', { ...facts, code: 'upstream_rejected' }]],
      [new Error('a defect'), undefined, ['image failed', { ...facts, code: 'internal' }]],
    ] as const;
    for (const [answer, code, line] of CASES) {
      const { run, logged, recorded } = serviceWith([answer]);
      const failure = await run().catch((error: unknown) => error);
      assert.deepEqual([Object(failure).code, logged], [code, [line]]);
      assert.equal(recorded.length, answer === GENERATED_IMAGE ? 1 : 0);
    }
  });

  test("passes the upstream's message on only if the client can correct the request", async () => {
    await assert.rejects(serviceWith([fail('rejected')]).run(), { message: "the upstream's words" });
    const { run, errors } = serviceWith([fail('operator')]);
    await assert.rejects(run(), { message: 'The generator is not available.' });
    assert.deepEqual(errors, ['upstream needs the operator']);
  });

  for (const [left, attempts] of [
    [3, 2],
    [2, 1],
  ] as const)
    test(`makes ${attempts} call(s) with ${left} ms left and a delay of 2`, async () => {
      let time = 5000;
      let attempted = 0;
      const { run } = serviceWith([], {
        now: () => time,
        retryDelayMs: 2,
        generator: {
          generate: async () => {
            attempted += 1;
            time = 6000 - left;
            throw fail('failing', { httpStatus: 503 });
          },
        },
      });
      await assert.rejects(run(), { code: 'upstream_unavailable' });
      assert.equal(attempted, attempts);
    });

  test('is not returned if its charge cannot be recorded, which is tried in time and logged', async () => {
    let tries = 0;
    const record = () => {
      tries += 1;
      return Promise.reject(new Error('table away'));
    };
    const { run, errors, logged } = serviceWith([COSTLY], { charges: { record } });
    await assert.rejects(run(), { code: 'overloaded', retryAfterSeconds: 5 });
    await assert.rejects(serviceWith([COSTLY], { charges: { record }, retryDelayMs: 1000 }).run());
    assert.deepEqual([tries, errors], [3 + 1, ['image charge not recorded']]);
    assert.deepEqual(logged.at(-1), ['image charge not recorded', { ...CHARGE, totalTokens: 3 }]);
  });

  const admitted = (release?: () => Promise<boolean>) => {
    const accounts = new MemoryAccounts();
    const ports = accountsPort(accounts);
    const limiter = buildLimiter(
      { createsPerMinute: 5 },
      { ...ports, release: slowly(release ?? ports.release) },
    );
    return { accounts, limiter };
  };

  test('releases its reservation before it fails', async () => {
    const { accounts, limiter } = admitted();
    await assert.rejects(serviceWith([fail('rejected')], { limiter }).run(), { code: 'upstream_rejected' });
    assert.deepEqual([accounts.reservations(), accounts.releases.size], [[], 1]);
  });

  test('fails with its own error if the reservation cannot be released', async () => {
    const { accounts, limiter } = admitted(() => Promise.reject(new Error('throttled')));
    const { run, errors, logged } = serviceWith([fail('rejected')], { limiter });
    await assert.rejects(run(), { code: 'upstream_rejected' });
    assert.deepEqual(errors, ['reservation not released']);
    const { account, reservation } = Object(logged.at(-1)?.[1]);
    assert.deepEqual([account, reservation], ['a', accounts.reservations()[0]?.id]);
  });

  test('records the charge, with its reservation, before it returns the image', async () => {
    const { accounts, limiter } = admitted();
    const recorded: unknown[] = [];
    const record = slowly(
      async (charge: ImageChargeRecord, reservation: unknown) => void recorded.push([charge.id, reservation]),
    );
    await serviceWith([GENERATED_IMAGE], { limiter, charges: { record } }).run();
    const [held] = accounts.reservations();
    assert.deepEqual([held?.kind, held?.taskId], ['images', 'r']);
    assert.deepEqual(recorded, [['img_r', held]]);
  });

  const kept = () => {
    const images = new MemoryKeptImages();
    return { images, keeping: keepingPort(images) };
  };

  test('stores the image before it is charged, and charges it together with its file', async () => {
    const { images, keeping } = kept();
    const recorded: unknown[] = [];
    const record: ImageService['charges']['record'] = async (charge, _, image) => {
      recorded.push([charge.id, image?.file.id, images.objects.size, image?.result]);
    };
    const made = await serviceWith([GENERATED_IMAGE], { keeping, charges: { record } }).run();
    const id = made?.file?.id ?? '';
    assert.match(id, /^file_/);
    assert.deepEqual(recorded, [['img_r', id, 1, undefined]]);
    assert.deepEqual([...images.objects.keys()], [fileKey('a', id)]);
  });

  for (const [bytes, extension, mimeType, size] of [
    [PNG, 'png', 'image/png', '32x18'],
    [WEBP, 'webp', 'image/webp', '32x18'],
    [Buffer.from('GIF89a'), 'bin', 'image/gif', 'auto'],
  ] as const)
    test(`describes the image in its file, such as ${mimeType}`, async () => {
      const { keeping } = kept();
      const files: unknown[] = [];
      const record: ImageService['charges']['record'] = async (_charge, _reservation, image) =>
        void files.push(image?.file);
      const made = { ...GENERATED_IMAGE, image: { mimeType: 'image/gif', base64: bytes.toString('base64') } };
      const times = [400];
      const now = () => times.pop() ?? 1000;
      const turns: ImageRequest['turns'] = [
        { role: 'user', parts: [textPart('A cat')] },
        {
          role: 'user',
          parts: [textPart('A fox'), imagePart({ bytes, mimeType: 'image/png' }), textPart('B')],
        },
        { role: 'model', parts: [textPart('Done.')] },
      ];
      const { run } = serviceWith([made], { keeping, charges: { record }, now });
      const id = (await run({ ...IMAGE_REQUEST, turns }))?.file?.id ?? '';
      assert.deepEqual(files, [
        {
          id,
          account: 'a',
          name: `${id}.${extension}`,
          bytes: bytes.length,
          mimeType,
          purpose: 'output',
          createdAt: 1000,
          expiresAt: 1000 + keeping.retentionMs,
          arrived: true,
          output: {
            model: IMAGE_MODEL,
            prompt: 'A fox\nB',
            size,
            keyId: 'k',
            personId: 'p',
            durationMs: 600,
            amount: '0.10',
            currency: 'USD',
          },
        },
      ]);
    });

  test('is returned if storing it and recording its charge succeed at the third try', async () => {
    const { images, keeping } = kept();
    const [put, record] = [slowly(keeping.store.put), slowly(async () => {})];
    let [puts, records] = [0, 0];
    const { run, errors } = serviceWith([GENERATED_IMAGE], {
      keeping: {
        ...keeping,
        store: {
          put: async (...given) => {
            puts += 1;
            if (puts === 1) throw new Error('bucket away');
            await put(...given);
          },
        },
      },
      charges: {
        record: async () => {
          records += 1;
          if (records === 1) throw new Error('table away');
          await record();
        },
      },
    });
    assert.ok((await run())?.file);
    assert.deepEqual([puts, records, images.objects.size, errors], [3, 2, 1, []]);
  });
});

describe('generating several images', () => {
  const order = (request = IMAGE_REQUEST) => ({
    caller: { account: 'a', keyId: 'k' },
    requestId: 'r',
    request,
    indexes: [0, 1, 2],
  });

  test('makes all calls at once, and charges each image on its own', async () => {
    let waiting = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { service, recorded } = serviceWith([], {
      generator: {
        generate: async () => {
          waiting += 1;
          if (waiting === 3) resolve();
          await promise;
          return GENERATED_IMAGE;
        },
      },
    });
    const { images } = await startImages(service, order());
    await Promise.all(images);
    assert.deepEqual(recorded.map(({ id }) => id).toSorted(), ['img_r', 'img_r_1', 'img_r_2']);
  });

  test('records one charge after another, and goes on after one that fails', async () => {
    let running = 0;
    let most = 0;
    const recorded: string[] = [];
    const record = slowly(async ({ id }: ImageChargeRecord) => {
      if (id === 'img_r_1') throw new Error('table away');
      recorded.push(id);
    });
    const charges = {
      record: async (charge: ImageChargeRecord) => {
        running += 1;
        most = Math.max(most, running);
        await record(charge).finally(() => {
          running -= 1;
        });
      },
    };
    const answers = [GENERATED_IMAGE, GENERATED_IMAGE, GENERATED_IMAGE];
    const { service, errors } = serviceWith(answers, { charges });
    const outcomes = await Promise.allSettled((await startImages(service, order())).images);
    const statuses = outcomes.map(({ status }) => status);
    assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual([most, recorded, errors], [1, ['img_r', 'img_r_2'], ['image charge not recorded']]);
  });

  test('releases only the reservations of images that fail', async () => {
    const accounts = new MemoryAccounts();
    const limiter = buildLimiter({ createsPerMinute: 5 }, accountsPort(accounts));
    const { service, recorded } = serviceWith([GENERATED_IMAGE, fail('rejected'), GENERATED_IMAGE], {
      limiter,
    });
    const { images, rateLimit } = await startImages(service, order());
    assert.equal(rateLimit?.remaining, 2);
    const outcomes = await Promise.allSettled(images);
    const statuses = outcomes.map(({ status }) => status);
    assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual([recorded.length, accounts.releases.size], [2, 1]);
  });

  test('calls the upstream for none of them if a limit refuses one', async () => {
    const limiter = buildLimiter({ createsPerMinute: 2 });
    const { service, calls } = serviceWith([], { limiter });
    await assert.rejects(startImages(service, order()), { code: 'insufficient_quota' });
    assert.equal(calls(), 0);
  });

  test('counts the seed up, so that the images differ', async () => {
    const seeds: unknown[] = [];
    const { service } = serviceWith([], {
      generator: {
        generate: async ({ sampling }) => {
          seeds.push(sampling.seed);
          return GENERATED_IMAGE;
        },
      },
    });
    const seeded = { ...IMAGE_REQUEST, sampling: { ...IMAGE_REQUEST.sampling, seed: 2_147_483_646 } };
    await Promise.all((await startImages(service, order(seeded))).images);
    assert.deepEqual(seeds, [2_147_483_646, 2_147_483_647, 0]);
  });
});
