import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImageAnswer } from '../../../../functions/images/domain/image-request.ts';
import type { ImageService } from '../../../../functions/images/usecases/generate-image.ts';
import { generateSeveral } from '../../../../functions/images/usecases/generate-several.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { GENERATED_IMAGE, IMAGE_REQUEST } from '../../../support/builders/requests.ts';

const toDomainError = (error: unknown): DomainError =>
  error instanceof DomainError ? error : new DomainError('internal', 'no');

/** Asks for as many images as the upstream has answers. */
const generate = async (answers: readonly ImageAnswer[]) => {
  const charges: string[] = [];
  let calls = 0;
  const service: ImageService = {
    generator: {
      generate: async () => {
        calls += 1;
        return answers[calls - 1] ?? assert.fail('too many calls');
      },
    },
    charges: { record: async ({ id }) => void charges.push(id) },
    limiter: buildLimiter(),
    logger: { info: () => {}, error: () => {} },
    now: () => 1000,
    prices: { currency: 'USD', videoSecond: {}, image: {} },
    timeoutMs: 1000,
    retryDelayMs: 1,
  };
  const order = { caller: { account: 'a', keyId: 'k' }, requestId: 'r', request: IMAGE_REQUEST };
  const { outcomes } = await generateSeveral(service, order, answers.length, toDomainError);
  const codes = outcomes.map((outcome) => (outcome instanceof DomainError ? outcome.code : outcome.outcome));
  return { codes, charges: charges.toSorted(), calls };
};

const BLOCKED: ImageAnswer = { outcome: 'no_image', reason: 'blocked' };

describe('several images', () => {
  test('are made by one call each and charged separately', async () => {
    assert.deepEqual(await generate([GENERATED_IMAGE, GENERATED_IMAGE, GENERATED_IMAGE]), {
      codes: ['image', 'image', 'image'],
      charges: ['img_r', 'img_r_1', 'img_r_2'],
      calls: 3,
    });
  });

  test('are returned without those that failed, which cost nothing', async () => {
    assert.deepEqual(await generate([BLOCKED, GENERATED_IMAGE]), {
      codes: ['content_blocked', 'image'],
      charges: ['img_r_1'],
      calls: 2,
    });
  });
});
