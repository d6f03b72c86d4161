import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { VideoRequest } from '../../../../functions/videos/domain/video-request.ts';
import { videoRequests } from '../../../cases/video-requests.ts';
import { videoCreator } from '../../../support/create-in-memory.ts';
import { imageKind } from '../../../support/images.ts';

const BASE = { model: 'video-3.1-generate-preview', prompt: 'a quiet harbour' };

const describeImages = ({ mode, inputs }: VideoRequest): string =>
  [mode, ...inputs.map(({ image }) => imageKind(image))].join(' ');

describe('a create request', () => {
  const create = videoCreator();
  for (const one of videoRequests(BASE))
    test(one.title, async () => {
      const made = await create(one.sent);
      if ('accepted' in one) {
        if (made instanceof DomainError) throw made;
        const { video, request } = made;
        assert.deepEqual([video.seconds, video.size], one.accepted);
        assert.partialDeepStrictEqual({ ...request, images: describeImages(request) }, one.request ?? {});
        return;
      }
      assert.ok(made instanceof DomainError, 'the request was accepted');
      const { param, code, says } = one.refused;
      assert.deepEqual([made.rule.http, made.param, made.code], [one.status ?? 400, param, code]);
      assert.match(made.message, new RegExp(says));
    });
});
