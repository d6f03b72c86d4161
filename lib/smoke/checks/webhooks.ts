import { randomUUID } from 'node:crypto';
import { type Answer, at, expectAnswer, expectStatus, expectTrue, listAt, textAt } from '../answers.ts';
import type { Api } from '../api.ts';
import type { Check } from '../run-checks.ts';

const ENDPOINTS = '/v1/webhook_endpoints';
/** No video of this run should fail, so the endpoint receives only the sample. */
const EVENT_TYPE = 'video.failed';
const UNKNOWN_ROUTE = '/v1/there-is-no-such-route';

/** An unknown route has no errors of its own, so the gateway could not start its function either. */
const isDeliveryThrottled = ({ json }: Answer): boolean => Number(at(json, 'status_code')) >= 500;

const expectSample = async (api: Api, path: string): Promise<void> => {
  const call = { json: { event_type: EVENT_TYPE }, repeatable: true };
  const send = () => api.call('POST', `${path}/test`, call);
  const answer = await expectAnswer(200, api.retries.repeat(send, isDeliveryThrottled, api.interrupted));
  const status = at(answer.json, 'status_code');
  expectTrue(status === 404, 'status_code 404 from its own unknown route', String(status), answer);
};

/** Removes every endpoint with the address, in case the request that creates it was sent twice. */
const removeEndpoints = async (api: Api, url: string): Promise<void> => {
  const list = await expectAnswer(200, api.call('GET', ENDPOINTS, { interruptible: false }));
  for (const endpoint of listAt(list.json, 'data').filter((each) => at(each, 'url') === url)) {
    const path = `${ENDPOINTS}/${textAt(endpoint, 'id')}`;
    expectStatus(await api.call('DELETE', path, { interruptible: false }), 200);
  }
};

/**
 * The service may not reach this machine, but always reaches its own public address: the 404 of an unknown route shows
 * that the event was sent and answered.
 */
export const webhookCheck: Check = {
  name: 'sends a sample event to a webhook endpoint',
  run: async ({ api }) => {
    const url = `${api.baseUrl}${UNKNOWN_ROUTE}?run=${randomUUID()}`;
    const json = { name: 'Smoke test', url, event_types: [EVENT_TYPE] };
    // Not interruptible: an endpoint with an unknown id could not be removed.
    const created = await expectAnswer(
      200,
      api.call('POST', ENDPOINTS, { json, interruptible: false, repeatable: true }),
    );
    const secret = textAt(created.json, 'signing_secret');
    const id = textAt(created.json, 'id');
    const path = `${ENDPOINTS}/${id}`;
    try {
      expectTrue(id.startsWith('we_'), 'an id that begins with we_', JSON.stringify(id), created);
      expectTrue(secret.startsWith('whsec_'), 'a signing secret', 'none', created);
      await expectSample(api, path);
    } finally {
      await removeEndpoints(api, url);
    }
    expectStatus(await api.call('GET', path), 404);
  },
};
