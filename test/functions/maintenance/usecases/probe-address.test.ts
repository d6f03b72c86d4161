import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { probeAddress } from '../../../../functions/maintenance/usecases/probe-address.ts';
import { describeError } from '../../../../functions/platform/runtime/logger.ts';
import { readFreePort, startServer } from '../../../support/server.ts';

const OWN = { 'x-request-id': 'req-1' };
const LONG = 60_000;

/** Probes a server that answers so, and tells its requests. */
const probe = async (answer: (response: ServerResponse) => void, timeoutMs = LONG): Promise<string[]> => {
  const requests: string[] = [];
  const server = await startServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(response);
  });
  try {
    await probeAddress(`${server.url}/openapi.json`, timeoutMs);
  } finally {
    await server.close();
  }
  return requests;
};

describe('the probe of the public address', () => {
  test('requests the head of a page once', async () => {
    const requests = await probe((response) => response.writeHead(200, OWN).end());
    assert.deepEqual(requests, ['HEAD /openapi.json']);
  });

  for (const [name, status, headers, message] of [
    ['a firewall that blocks it', 403, OWN, 'The status is 403, not 200.'],
    ['another address that it is sent to', 302, { ...OWN, location: '/' }, 'The status is 302, not 200.'],
    ['another server', 200, {}, 'The response has no x-request-id: another server sent it.'],
  ] as const)
    test(`notices ${name}`, async () => {
      await assert.rejects(
        probe((response) => response.writeHead(status, headers).end()),
        { message },
      );
    });

  test('does not wait for an answer that never comes', async () => {
    await assert.rejects(
      probe(() => {}, 20),
      { name: 'TimeoutError' },
    );
  });

  test('notices an address at which nobody answers, with a reason that the log has', async () => {
    const port = await readFreePort();
    await assert.rejects(probeAddress(`http://127.0.0.1:${port}/openapi.json`, LONG), (error) => {
      assert.equal(Object(describeError(error).cause).code, 'ECONNREFUSED');
      return true;
    });
  });
});
