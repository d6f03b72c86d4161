import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type UpstreamClient,
  upstreamErrorOf,
} from '../../../../functions/upstream/adapters/upstream-client.ts';
import { readAnswer } from '../../../../functions/upstream/adapters/upstream-images.ts';
import { upstreamVideos } from '../../../../functions/upstream/adapters/upstream-videos.ts';

/** The 500th unit of it is the first half of a character. */
const LONG = `${'a'.repeat(499)}${'🦊'.repeat(300)}`;

const checked = async (operation: object): Promise<string> => {
  const client: UpstreamClient = {
    modelName: (model) => model,
    call: async () => ({ done: true, ...operation }),
    addressOf: (uri) => uri,
    download: () => assert.fail('nothing is downloaded'),
  };
  const state = await upstreamVideos(client, 1000).check('operations/x');
  return state.state === 'failed' ? state.error.message : assert.fail(state.state);
};

const SOURCES = {
  'an error answer': async () =>
    (await upstreamErrorOf(Response.json({ error: { message: LONG } }, { status: 400 }))).message,
  'a failed operation': () => checked({ error: { code: 3, message: LONG } }),
  'filtered media': () =>
    checked({ response: { generateVideoResponse: { raiMediaFilteredReasons: [LONG] } } }),
  // The words before the reason have 24 characters and a blocked prompt's message its own.
  'an answer without an image': async () => {
    const blockReasonMessage = LONG.slice('The prompt was blocked: '.length);
    const answer = readAnswer({ promptFeedback: { blockReason: 'OTHER', blockReasonMessage } });
    return answer.outcome === 'no_image' ? answer.reason : assert.fail(answer.outcome);
  },
};

describe("the upstream's words are truncated between characters in", () => {
  for (const [title, read] of Object.entries(SOURCES))
    test(title, async () => {
      const message = await read();
      assert.equal(message.length, 499);
      assert.ok(message.isWellFormed());
    });
});
