import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import { listenOnLoopback } from '../../../lib/local/loopback.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const answering = () => createServer((_request, response) => response.end('here'));

describe('a server on localhost', () => {
  it('answers on every loopback address of the machine', async () => {
    const { port, close } = await listenOnLoopback(answering, 0);
    const hosts = ['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])];
    for (const host of hosts)
      assert.equal(
        await (await fetch(`http://${host}:${port}`, { headers: { connection: 'close' } })).text(),
        'here',
      );
    await close();
    await assert.rejects(fetch(`http://localhost:${port}`));
  });

  it('uses no port that another process uses on ::1', {
    skip: !hasIpv6 && 'the machine has no IPv6',
  }, async () => {
    const other = createServer().listen(0, '::1');
    await once(other, 'listening');
    const port = Number(Reflect.get(Object(other.address()), 'port'));
    await assert.rejects(listenOnLoopback(answering, port), /is in use/);
    // The failed attempt is cleaned up.
    const free = createServer().listen(port, '127.0.0.1');
    await once(free, 'listening');
    free.close();
    other.close();
  });
});
