import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutPrices, withUpstreams } from '../support/assembly.ts';
import { aVideosApi } from '../support/builders/upstream-kinds.ts';
import { call, FAST_MODEL, MODEL, readError } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { CHAT, chatBody } from '../support/images/requests.ts';
import { openOwnService } from '../support/open-service.ts';
import { signIn } from '../support/sessions.ts';

/** A server of the Videos API with one model, which reads no options, and makes short videos only. */
const withFewOffers = withUpstreams([
  aVideosApi('none', { models: { [MODEL]: null }, offers: { seconds: [4, 6], resolutions: ['720p'] } }),
]);
/** Both differences do not affect each other, so one service has both. */
const service = await openOwnService({
  changeTemplate: (template) => withoutPrices(withFewOffers(template)),
});

const CAPABILITIES = {
  modes: ['text', 'first_frame'],
  seconds: [4, 6],
  seconds_by_mode: { text: [4, 6], first_frame: [4, 6] },
  resolutions: ['720p'],
  aspect_ratios: ['16:9', '9:16'],
  seed: false,
  negative_prompt: false,
};

describe('a deployment whose upstream cannot do everything', () => {
  test('lists only the offered model and its aliases, with their capabilities', async () => {
    const { data } = Object((await call(service, 'GET', '/v1/models')).body);
    assert.deepEqual([data[0].id, data[1].alias_of, data.length], [FAST_MODEL, FAST_MODEL, 12]);
    for (const { capabilities } of data) assert.deepEqual(capabilities, CAPABILITIES);
    const { body } = await call(service, 'GET', '/v1beta/models');
    const [first, ...others] = Object(body).models;
    assert.deepEqual(
      [first.name, first.description, others.length],
      [`models/${FAST_MODEL}`, 'Generates videos of 4 or 6 seconds with sound.', 11],
    );
  });

  for (const name of [MODEL, 'gpt-image-1'])
    test(`does not know ${name}`, async () => {
      const asked = name.includes('image') ? IMAGE_MODEL : MODEL;
      const message = `This deployment does not offer ${asked}; it offers ${FAST_MODEL}.`;
      const answer = await call(service, 'GET', `/v1/models/${name}`);
      const { code, param, message: said } = readError(answer);
      assert.deepEqual([answer.status, code, param, said], [404, 'model_not_found', 'model', message]);
      const native = await call(service, 'GET', `/v1beta/models/${name}`);
      assert.deepEqual([native.status, Object(native.body).error.message], [404, message]);
      const [path, json] = name.includes('image')
        ? ([CHAT, { ...chatBody('a fox'), model: name }] as const)
        : (['/v1/videos', { model: name, prompt: 'a fox' }] as const);
      const created = await call(service, 'POST', path, { json });
      assert.deepEqual([created.status, readError(created).message], [404, message]);
    });

  for (const [options, param, message] of [
    [{}, 'seconds', `This deployment does not offer 8 seconds with ${FAST_MODEL}. It offers 4, 6.`],
    [
      { seconds: 4, seed: 7 },
      'seed',
      `This deployment does not offer a seed with ${FAST_MODEL}. Leave it out.`,
    ],
    [
      { metadata: { durationSeconds: 4, negativePrompt: 'rain' } },
      'metadata.negativePrompt',
      `This deployment does not offer a negative prompt with ${FAST_MODEL}. Leave it out.`,
    ],
  ] as const)
    test(`refuses a video with ${JSON.stringify(options)}`, async () => {
      const answer = await call(service, 'POST', '/v1/videos', {
        json: { model: FAST_MODEL, prompt: 'a fox', ...options },
      });
      const error = readError(answer);
      assert.deepEqual(
        [answer.status, error.code, error.param, error.message],
        [400, 'not_offered', param, message],
      );
    });

  test('accepts a video with the options that it offers', async () => {
    const json = { model: FAST_MODEL, prompt: 'a fox', seconds: 4 };
    const { status, body } = await call(service, 'POST', '/v1/videos', { json });
    assert.deepEqual([status, body.model], [200, FAST_MODEL]);
  });

  test('tells the console what it offers', async () => {
    const session = await signIn(service, 'offers');
    const { body } = await session.call('GET', '/v1/console/session');
    assert.deepEqual(body.offers, {
      video: { [FAST_MODEL]: [CAPABILITIES] },
      image: false,
      image_sizes: [],
    });
  });
});

describe('a deployment in which nothing has a price', () => {
  const project = '/v1/organization/projects/acme';

  for (const path of [`${project}/api_keys`, `${project}/service_accounts/acme/api_keys`])
    test(`POST ${path} refuses a monthly budget, and makes a key without one`, async () => {
      const session = await signIn(service, 'acme');
      const refused = await session.call('POST', path, { name: 'a', monthly_budget: '5' });
      const { type, param, message } = readError(refused);
      assert.deepEqual(
        [refused.status, type, param],
        [400, 'invalid_request_error', 'monthly_budget'],
        JSON.stringify(refused.body),
      );
      assert.match(String(message), /prices setting\.$/);
      const made = await session.call('POST', path, { name: 'a', monthly_budget: null });
      assert.equal(made.status, 200);
    });
});
