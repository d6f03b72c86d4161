import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { makeFirstVideo, printedLink } from '../../../browser/console/first-video.ts';
import { skipBrowserTests, useBrowser } from '../../../support/browser.ts';
import { npmStart } from '../../../support/npm-start.ts';
import { allGone, endAll, listDescendants } from '../../../support/processes.ts';

/** It bundles and synthesizes the whole service, so all tests of the command share one start. */
describe('npm start', () => {
  const openPage = useBrowser();
  let service: Awaited<ReturnType<typeof npmStart>>;
  before(async () => {
    service = await npmStart();
  });
  after(() => service.close());

  test('has sample prices and allows 1,000 executions', async () => {
    const template = await readFile(join(service.data, 'assembly', 'MediaGeneration.template.json'), 'utf8');
    const { Metadata } = templateSchema.parse(JSON.parse(template));
    assert.match(template, /"PRICES": ".*video-3\.1-fast-generate-preview\\":\\"0\.15/);
    assert.equal(Metadata.AccountQuotas.LambdaConcurrentExecutions, 1000);
    assert.match(service.printed, /Ready in/);
  });

  test('prints a link that leads to a video that plays, with one click and a prompt', {
    skip: skipBrowserTests,
  }, async () => {
    const link = printedLink(service.printed);
    assert.match(link, /^http:\/\/localhost:\d+\/prod\/console\/sign-in#mgl_/);
    const asked = new Set<string>();
    const { page, takeProblems, close } = await openPage([new URL(link).origin]);
    page.on('response', (response) => {
      // Only the redirect shows the port of the store.
      if (response.request().redirectedFrom() !== null)
        asked.add(`request to ${new URL(response.url()).origin}`);
    });
    assert.equal(await makeFirstVideo(page, link), true);
    const unexpected = takeProblems().filter((problem) => !asked.has(problem));
    assert.deepEqual(unexpected, []);
    await close();
  });

  test('leaves no process behind when npm is stopped', async () => {
    const started = await listDescendants(service.pid);
    assert.ok(started.length >= 2);
    await service.stop();
    try {
      await allGone(started);
    } finally {
      endAll(started);
    }
  });

  test('starts again with the same stack and key', async () => {
    const template = join(service.data, 'assembly', 'MediaGeneration.template.json');
    const findKey = () => /API key\s+(mgk_\S+)/.exec(service.printed)?.[1] ?? '';
    const [key, { mtimeMs }] = [findKey(), await stat(template)];
    service = await npmStart(service.data);
    assert.equal((await stat(template)).mtimeMs, mtimeMs);
    assert.equal(findKey(), key);
    const baseUrl = /Base URL\s+(\S+)/.exec(service.printed)?.[1];
    const { status } = await fetch(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(status, 200);
  });
});
