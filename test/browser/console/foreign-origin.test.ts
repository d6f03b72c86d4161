import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call } from '../../support/http.ts';
import { putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { servePage } from '../../support/page-server.ts';
import { consoleOrigins, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const account = newAccount();
const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };

const PAGE = '<!doctype html><link rel="icon" href="data:,"><iframe name="sink"></iframe>';

/** Requests that a page of another origin could send with the cookie that the browser adds. */
const ATTEMPTS: readonly [what: string, script: string][] = [
  ['read the session', `read('/v1/console/session')`],
  ['read the tasks', `read('/v1/videos')`],
  ['list the keys', `read('/v1/organization/projects/${account}/api_keys')`],
  ['make a link', `read('/v1/console/links', { method: 'POST', body: '{}' })`],
  ['read the tasks without preflight', `read('/v1/videos', { mode: 'no-cors' })`],
  ['read the page', `read('/console')`],
];

const ACTS: readonly [what: string, script: (id: string) => string][] = [
  ['delete a task', (id) => `act('/v1/videos/${id}', { method: 'DELETE' })`],
  [
    'create a video',
    () =>
      `act('/v1/videos', { method: 'POST', mode: 'no-cors', body: form({ model: 'video-3.1-fast-generate-preview', prompt: 'x' }) })`,
  ],
  [
    'create a video by a form of the page',
    () => `submit('/v1/videos', { model: 'video-3.1-fast-generate-preview', prompt: 'x' })`,
  ],
  [
    'create a key',
    () =>
      `act('/v1/organization/projects/${account}/api_keys', { method: 'POST', mode: 'no-cors', body: '{"name":"x"}' })`,
  ],
];

const SCRIPT = `
const read = (path, options) =>
  fetch(baseUrl + path, { credentials: 'include', ...options }).then((answer) => answer.text(), () => '');
const act = (path, options) =>
  fetch(baseUrl + path, { credentials: 'include', ...options }).then(() => '', () => '');
const form = (fields) => { const data = new FormData(); for (const name in fields) data.set(name, fields[name]); return data; };
const submit = (path, fields) => new Promise((resolve) => {
  const element = document.createElement('form');
  Object.assign(element, { method: 'post', enctype: 'multipart/form-data', action: baseUrl + path, target: 'sink' });
  for (const name in fields) element.append(Object.assign(document.createElement('input'), { name, value: fields[name] }));
  document.body.append(element);
  document.querySelector('iframe').onload = () => resolve('');
  element.submit();
});`;

describe('a page of another origin', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  let site: Awaited<ReturnType<typeof servePage>>;
  let id = '';
  before(async () => {
    site = await servePage(PAGE);
    id = await putVideo(service, account, { prompt: 'A kite', createdAt: Date.now() });
  });
  after(() => site.close());

  test('on another port or host can neither use the session nor show the console in a frame', async () => {
    const { page, takeProblems } = await openConsole(openPage, service, { account });
    const cookies = await page.context().cookies(consoleOrigins(service)[0]);
    assert.equal(cookies.length, 1);
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${site.port}`);
      await page.evaluate(`globalThis.baseUrl = '${service.baseUrl}'`);
      await page.addScriptTag({ content: SCRIPT });
      for (const [what, script] of ATTEMPTS) {
        const text = String(await page.evaluate(script));
        assert.ok(!text.includes(account) && !text.includes(id), `${what} from ${host}`);
      }
      for (const [, script] of ACTS) await page.evaluate(script(id));
      const tasks = await call(access, 'GET', '/v1/videos');
      assert.deepEqual(Object(tasks.body.data).length, 1, host);
    }

    await page.goto(site.origin);
    takeProblems();
    await page.evaluate(`document.querySelector('iframe').src = '${service.baseUrl}/console/keys'`);
    await page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    assert.equal(await page.frameLocator('iframe').getByText(texts.navigation.keys).count(), 0);

    // The session still works, and its page shows only the one key.
    await page.goto(`${service.baseUrl}/console/keys`);
    await page.locator('tbody tr').first().waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
  });
});
