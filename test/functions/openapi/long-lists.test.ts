import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withOwnModel } from '../../../functions/catalogue/api/model-field.ts';
import { BUILT_IN_ALIASES } from '../../../functions/catalogue/domain/model-aliases.ts';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { readChatRequest } from '../../../functions/images/api/chat-request.ts';
import { readEditImages } from '../../../functions/images/api/images-request.ts';
import { readNativeRequest } from '../../../functions/images/api/native-image.ts';
import type { BodyFields } from '../../../functions/platform/body/fields.ts';
import { parseBody } from '../../../functions/platform/body/parse.ts';
import { readNativeVideoDraft } from '../../../functions/videos/api/native-video.ts';
import { readVideoDraft } from '../../../functions/videos/api/read-video-request.ts';
import { newEndpointSchema } from '../../../functions/webhooks/api/webhook-schema.ts';
import { MODEL } from '../../support/http.ts';
import { CHAT, EDITS, NATIVE } from '../../support/images/requests.ts';
import {
  LONGEST_CONVERSATION,
  longNativeLists,
  longOpenAiLists,
  PREDICT,
  VIDEOS,
  WEBHOOKS,
} from './support/long-lists.ts';

/** As many items as fit into a request. */
const COUNT = 300_000;

const READERS: Readonly<Record<string, (body: BodyFields) => unknown>> = {
  [NATIVE]: (body) => readNativeRequest(IMAGE_MODEL, body),
  [PREDICT]: (body) => readNativeVideoDraft(MODEL, body),
  [CHAT]: (body) => readChatRequest(withOwnModel(BUILT_IN_ALIASES, body)),
  [EDITS]: (body) => readEditImages(withOwnModel(BUILT_IN_ALIASES, body)),
  [VIDEOS]: (body) => readVideoDraft(withOwnModel(BUILT_IN_ALIASES, body)),
  [WEBHOOKS]: (body) => parseBody(newEndpointSchema({ allowLoopbackHttp: false }), body),
};
const read = (path: string, body: BodyFields): unknown => (READERS[path] ?? assert.fail(path))(body);

describe('a list that is too long is refused by its name and limit:', () => {
  for (const [path, body, message] of longNativeLists(COUNT))
    test(message, () => {
      assert.throws(() => read(path, body), { name: 'DomainError', code: 'invalid_request', message });
    });

  for (const [path, body, param, message] of longOpenAiLists(COUNT))
    test(`${param} ${message}`, () => {
      const expected = { name: 'DomainError', code: 'invalid_request', param };
      assert.throws(() => read(path, body), { ...expected, message: `${param} ${message}` });
    });
});

test('a conversation of 200 turns with 64 parts in each is accepted', () => {
  assert.ok(read(NATIVE, LONGEST_CONVERSATION));
});
