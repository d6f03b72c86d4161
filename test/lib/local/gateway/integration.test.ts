import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../../support/until.ts';
import { runFixture } from '../fixture/open-fixture.ts';

const MEGABYTE = 1024 * 1024;

const running = await runFixture();

describe('a streamed integration', () => {
  const stream = (wish: unknown, init: RequestInit = {}) =>
    fetch(`${running.cloud.baseUrl}/stream`, { method: 'POST', body: JSON.stringify(wish), ...init });

  it('takes status, headers and cookies from the prelude', async () => {
    const response = await stream({});
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('content-type'), 'text/plain');
    assert.equal(response.headers.get('x-own'), 'yes');
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
    assert.equal(await response.text(), 'firstsecond');
  });

  it('forwards each part before the next one exists', async () => {
    const waitFor = join(running.folder, 'go');
    const response = await stream({ waitFor });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader?.read())?.value, 'first');
    await writeFile(waitFor, '');
    assert.equal((await reader?.read())?.value, 'second');
    assert.equal((await reader?.read())?.done, true);
  });

  const watchInvocation = () => {
    const begun = Date.now();
    return () => running.cloud.invocations().some(({ startedAt }) => startedAt >= begun);
  };

  it('ends the response with the stream, while the function goes on', async () => {
    const workUntil = join(running.folder, 'worked');
    const isOver = watchInvocation();
    const response = await stream({ workUntil });
    assert.equal(await response.text(), 'firstsecond');
    assert.equal(isOver(), false);
    await writeFile(workUntil, '');
    await until(isOver);
  });

  it('lets the function wait for a client that reads slowly', async () => {
    const isOver = watchInvocation();
    const response = await stream({ bytes: 40 * MEGABYTE });
    await setTimeout(500);
    assert.equal(isOver(), false);
    await response.bytes();
    await until(isOver);
  });

  it('exceeds the limit of a buffered response', async () => {
    const body = await (await stream({ bytes: 7 * MEGABYTE })).bytes();
    assert.equal(body.length, 7 * MEGABYTE + 'firstsecond'.length);
  });

  it('answers 502 when the function fails before the first byte or writes no prelude', async () => {
    assert.equal((await stream({ fail: 'before' })).status, 502);
    assert.equal((await stream({ raw: true })).status, 502);
  });

  it('breaks the connection when the function fails after the first byte', async () => {
    const response = await stream({ fail: 'after' });
    assert.equal(response.status, 201);
    await assert.rejects(response.text());
  });

  it('keeps serving when a client disconnects', async () => {
    const leaving = new AbortController();
    const response = await stream({ bytes: 10 * MEGABYTE }, { signal: leaving.signal });
    assert.equal(response.status, 201);
    leaving.abort();
    await assert.rejects(response.text());
    assert.equal(await (await stream({})).text(), 'firstsecond');
  });

  it('like Lambda, does not notify the function that its client has disconnected', async () => {
    const waitFor = join(running.folder, 'after-leaving');
    const leaving = new AbortController();
    const left = () => running.requests.filter(({ status }) => status === undefined).length;
    // The failure of an earlier test may be recorded late.
    const begun = Date.now();
    const failures = () =>
      running.cloud.invocations().filter(({ startedAt, outcome }) => startedAt >= begun && outcome !== 'ok');
    const before = left();
    const response = await stream({ waitFor, bytes: 5 * MEGABYTE }, { signal: leaving.signal });
    assert.equal(response.status, 201);
    leaving.abort();
    await until(() => left() > before);
    await writeFile(waitFor, '');
    await until(() => running.lines.some(({ line }) => line.startsWith(`${waitFor}: `)));
    assert.ok(running.lines.some(({ line }) => line === `${waitFor}: told of []`));
    assert.equal(await (await stream({})).text(), 'firstsecond');
    assert.deepEqual(failures(), []);
  });

  it('can be invoked without streaming', async () => {
    const result = await running.cloud.invoke('Streamer', { body: null });
    assert.equal(result.type, 'response');
    assert.match('payload' in result ? result.payload : '', /^\{"statusCode":201.*\}\0{8}firstsecond$/);
  });
});
