import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeBlocks } from '../docs/sections.ts';
import { skipBrowserTests, useBrowser, type WatchedPage } from '../support/browser.ts';
import { openSharedService } from '../support/open-service.ts';
import { servePage } from '../support/page-server.ts';

const [EXAMPLE = assert.fail('no example')] = codeBlocks(['docs/api.md', '## Browser access'], 'js');

/** The example of the docs, in its own page. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><video muted></video><script>
${EXAMPLE}
const player = document.querySelector('video');
const call = (path, options = {}) =>
  fetch(baseUrl + path, { ...options, headers: { authorization: 'Bearer ' + apiKey, ...options.headers } });
const post = (path, body, headers) =>
  call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const played = async () => {
  await player.play();
  await new Promise((resolve) => { player.ontimeupdate = () => player.currentTime > 0.2 && resolve(); });
  return { width: player.videoWidth, seconds: Math.round(player.duration) };
};
</script>`;

const IMAGE = {
  model: 'image-3.1-flash-image-preview',
  stream: true,
  messages: [{ role: 'user', content: 'a kite' }],
};

type Access = { readonly baseUrl: string; readonly apiKey: string };

const service = await openSharedService();
const storeOrigin = new URL(service.operator.endpoint).origin;

const openSite = async (watched: WatchedPage, origin: string, { baseUrl, apiKey }: Access): Promise<void> => {
  await watched.page.goto(origin);
  await watched.page.evaluate(`globalThis.baseUrl = '${baseUrl}'; globalThis.apiKey = '${apiKey}';`);
};

describe('a page of another site', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  let site: Awaited<ReturnType<typeof servePage>>;
  before(async () => {
    site = await servePage(PAGE);
  });
  after(() => site.close());
  const apiOrigin = new URL(service.baseUrl).origin;

  describe('of an allowed origin', () => {
    let watched: WatchedPage;
    before(async () => {
      watched = await openPage([site.origin, apiOrigin, storeOrigin]);
      await openSite(watched, site.origin, service);
    });
    after(() => watched.close());

    test('creates a video, polls it and plays it', async () => {
      await watched.page.evaluate(`playVideo({ baseUrl, apiKey, prompt: 'A kite', player })`);
      assert.deepEqual(await watched.page.evaluate('played()'), { width: 1280, seconds: 4 });
      watched.assertClean();
    });

    test('reads the file itself, with whatever headers an SDK adds', async () => {
      const file = await watched.page.evaluate(`call('/v1/videos').then((answer) => answer.json())
        .then(({ data: [{ id }] }) => call('/v1/videos/' + id + '/content', { headers: { 'x-stainless-lang': 'js' } }))
        .then(async (answer) => [answer.redirected, (await answer.blob()).type])`);
      assert.deepEqual(file, [true, 'video/mp4']);
      watched.assertClean();
    });

    test('reads a streamed image', async () => {
      const events = await watched.page.evaluate(
        `post('/v1/chat/completions', JSON.stringify(${JSON.stringify(IMAGE)})).then((answer) => answer.text())`,
      );
      assert.match(String(events), /data:image\/(jpeg|png);base64,[\s\S]*\[DONE\]/);
      watched.assertClean();
    });

    test('uploads a file straight to the store, and can read why one is rejected', async () => {
      const uploads = await watched.page.evaluate(`(async () => {
        const bytes = new Uint8Array(200_000);
        const file = { filename: 'a.png', bytes: bytes.length, mime_type: 'image/png', purpose: 'vision' };
        const { id, upload: { url, method, headers } } = await (await post('/v1/files', JSON.stringify(file))).json();
        const first = await fetch(url, { method, headers, body: bytes });
        const again = await fetch(url, { method, headers, body: bytes });
        const { status } = await (await call('/v1/files/' + id)).json();
        return [first.status, again.status, /<Code>(.*)<.Code>/.exec(await again.text())[1], status];
      })()`);
      assert.deepEqual(uploads, [200, 412, 'PreconditionFailed', 'processed']);
      assert.equal(watched.takeProblems().length, 1);
    });

    test('reads an error with its request id', async () => {
      const error = await watched.page.evaluate(`post('/v1/videos', '{}').then(async (answer) =>
        [answer.status, answer.headers.get('x-request-id') !== null, (await answer.json()).error.param])`);
      assert.deepEqual(error, [400, true, 'model']);
      // Chromium logs each status of 400 and above.
      assert.equal(watched.takeProblems().length, 1);
    });

    test('reads errors of the gateway', async () => {
      const refusal = await watched.page.evaluate(
        `post('/v1/videos', 'x'.repeat(11_000_000)).then(async (answer) => [answer.status, (await answer.json()).error.code])`,
      );
      assert.deepEqual(refusal, [413, 'request_too_large']);
      assert.equal(watched.takeProblems().length, 1);
    });
  });

  test('of another origin is rejected and reads nothing', async () => {
    const origin = `http://localhost:${site.port}`;
    const watched = await openPage([origin, apiOrigin, storeOrigin]);
    await openSite(watched, origin, service);
    for (const request of [
      `call('/v1/videos')`,
      `post('/v1/videos', '{}')`,
      `fetch(baseUrl + '/v1/videos')`,
    ]) {
      const outcome = watched.page.evaluate(`${request}.then(() => 'answered', (error) => error.name)`);
      assert.equal(await outcome, 'TypeError', request);
      assert.match(watched.takeProblems().join('\n'), /blocked by CORS policy/, request);
    }
    await watched.close();
  });
});
