import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ImageConversion,
  type ImageConverter,
  UnreadableImage,
} from '../../../../functions/catalogue/domain/image-conversion.ts';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { convertGenerated } from '../../../../functions/images/usecases/convert-generated.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { GENERATED_IMAGE } from '../../../support/builders/requests.ts';
import { jpegWithCredentials } from '../../../support/images/credentials.ts';
import { JPEG } from '../../../support/images.ts';

const run = async (
  convert: ImageConverter,
  conversion: ImageConversion | undefined,
  generated = GENERATED_IMAGE,
) => {
  const logged: unknown[] = [];
  const logger = {
    info: () => assert.fail('nothing to report'),
    error: (...line: readonly unknown[]) => void logged.push(line),
  };
  const fields = { requestId: 'r', account: 'a', model: IMAGE_MODEL };
  const result = await convertGenerated({ convert, logger }, generated, conversion, fields).catch(
    (error: unknown) => error,
  );
  return { result, logged };
};

describe('converting a generated image', () => {
  test('replaces only the image', async () => {
    const png = { mimeType: 'image/png', base64: 'BBBB' };
    const given: unknown[] = [];
    const convert: ImageConverter = async (...call) => {
      given.push(call);
      return png;
    };
    const { result, logged } = await run(convert, { format: 'png', quality: 100 });
    assert.deepEqual(result, { ...GENERATED_IMAGE, image: png });
    assert.deepEqual(given, [[GENERATED_IMAGE.image, { format: 'png', quality: 100 }]]);
    assert.deepEqual(logged, []);
  });

  const signed = {
    ...GENERATED_IMAGE,
    image: { mimeType: 'image/jpeg', base64: jpegWithCredentials(JPEG).toString('base64') },
  };

  test('says that it removed content credentials', async () => {
    const webp = { mimeType: 'image/webp', base64: 'BBBB' };
    const { result } = await run(async () => webp, { format: 'webp' }, signed);
    assert.deepEqual(result, { ...signed, image: webp, contentCredentials: 'removed' });
  });

  test('keeps content credentials if the image stays as it is', async () => {
    assert.deepEqual((await run(async (image) => image, { format: 'jpeg' }, signed)).result, signed);
    assert.equal((await run(() => assert.fail('converted'), undefined, signed)).result, signed);
  });

  const FAILURES = [
    [new UnreadableImage('Not a JPEG file'), /^The generator returned an image that cannot be read\. /],
    [new Error('out of memory'), /^The image could not be converted to webp\. /],
  ] as const;
  for (const [error, message] of FAILURES)
    test(`fails with a reason that a client can understand, and logs it: ${error.message}`, async () => {
      const { result, logged } = await run(() => Promise.reject(error), { format: 'webp' });
      assert.ok(result instanceof DomainError);
      assert.deepEqual(
        [result.code, result.rule.http, result.rule.retry],
        ['image_not_converted', 502, false],
      );
      assert.match(result.message, message);
      assert.match(result.message, /charged/);
      const fields = { requestId: 'r', account: 'a', model: IMAGE_MODEL, format: 'webp' };
      assert.deepEqual(logged, [['image not converted', error, fields]]);
    });
});
