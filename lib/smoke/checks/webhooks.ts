import { type Api, at, expectStatus, expectTrue, textAt } from '../api.ts';
import type { Check } from '../run-checks.ts';

const ENDPOINTS = '/v1/webhook_endpoints';
/** No video of this run should fail, so the endpoint receives only the sample. */
const EVENT_TYPE = 'video.failed';
const UNKNOWN_ROUTE = '/v1/there-is-no-such-route';

const expectSample = async (api: Api, path: string): Promise<void> => {
  const answer = await api.call('POST', `${path}/test`, { json: { event_type: EVENT_TYPE } });
  expectStatus(answer, 200);
  const status = at(answer.json, 'status_code');
  expectTrue(status === 404, 'status_code 404 from its own unknown route', String(status), answer);
};

/**
 * The service may not reach this machine, but always reaches its own public address: the 404 of an unknown route shows
 * that the event was sent and answered.
 */
export const webhookCheck: Check = {
  name: 'sends a sample event to a webhook endpoint',
  run: async ({ api }) => {
    const json = { name: 'Smoke test', url: `${api.baseUrl}${UNKNOWN_ROUTE}`, event_types: [EVENT_TYPE] };
    // Not interruptible: an endpoint with an unknown id could not be removed.
    const created = await api.call('POST', ENDPOINTS, { json, interruptible: false });
    expectStatus(created, 200);
    const secret = textAt(created.json, 'signing_secret');
    const id = textAt(created.json, 'id');
    expectTrue(id.startsWith('we_'), 'an id that begins with we_', JSON.stringify(id), created);
    const path = `${ENDPOINTS}/${id}`;
    try {
      expectTrue(secret.startsWith('whsec_'), 'a signing secret', 'none', created);
      await expectSample(api, path);
    } finally {
      expectStatus(await api.call('DELETE', path, { interruptible: false }), 200);
    }
    expectStatus(await api.call('GET', path), 404);
  },
};
