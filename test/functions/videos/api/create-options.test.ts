import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { VideoImages } from '../../../../functions/videos/domain/video-request.ts';
import { createOptionRequests } from '../../../api/corpus/option-cases.ts';
import { videoCreator } from '../../../support/create-in-memory.ts';
import { imageKind } from '../../../support/images.ts';

const BASE = { model: 'video-3.1-generate-preview', prompt: 'a quiet harbour' };
const NO_IMAGES = { firstFrame: undefined, lastFrame: undefined, references: undefined };

const describeImages = (images: VideoImages): string => {
  const { mode, firstFrame, lastFrame, references = [] } = { ...NO_IMAGES, ...images };
  return [
    mode,
    ...[firstFrame, lastFrame, ...references].flatMap((image) =>
      image === undefined ? [] : imageKind(image),
    ),
  ].join(' ');
};

const create = videoCreator();

describe('an option of a create request', () => {
  for (const { title, sent, outcome } of createOptionRequests(BASE))
    test(title, async () => {
      const made = await create(sent);
      if ('made' in outcome) {
        if (made instanceof DomainError) throw made;
        const { video, request } = made;
        assert.deepEqual([video.seconds, video.size], outcome.made);
        if (outcome.request !== undefined)
          assert.partialDeepStrictEqual(
            { ...request, images: describeImages(request.images) },
            outcome.request,
          );
        return;
      }
      assert.ok(made instanceof DomainError, 'the request was accepted');
      const [param, code, says] = outcome.refused;
      assert.deepEqual([made.row.http, made.param, made.code], [400, param, code]);
      assert.match(made.message, says);
      assert.ok(made.message.startsWith(`${param} `), made.message);
    });
});
