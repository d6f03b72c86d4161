import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call, createVideo, readId, waitFor } from '../../support/http.ts';
import { file, JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses, makeVideo, promptField } from './playground.ts';
import { followLink, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const SECOND = 1000;
const POSTERS = 24;
const MAX_POSTER_BYTES = 3_000_000;

const card = (page: Page, prompt: string) => page.locator('.item').filter({ hasText: prompt });
const check = (page: Page, prompt: string) => card(page, prompt).locator('.item-check').check();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Whether a video of a card plays, without sound. */
const playsMuted = (page: Page, prompt: string) =>
  card(page, prompt)
    .locator('.poster-playing')
    .evaluateAll((videos) =>
      videos.some((video) => Object(video).muted === true && Object(video).currentTime > 0),
    );

describe('the library', { skip: skipBrowserTests, concurrency: 2 }, () => {
  const openPage = useBrowser();
  const open = (account: string, path: string) => openConsole(openPage, service, { account, path });
  let video: Buffer = Buffer.alloc(0);
  before(async () => {
    video = await makeVideo(service, 'A kite [sample: size 1MB]');
  });

  /** An account with posters: every third an image, the others videos. */
  const accountWithPosters = async () => {
    const account = newAccount();
    // Larger than its preview, as a generated image is; decoders ignore the zeros.
    const picture = Buffer.concat([JPEG, Buffer.alloc(500_000)]);
    const now = Date.now();
    for (let index = 0; index < POSTERS; index += 1) {
      const item = { prompt: `Item ${index}.`, createdAt: now - (index + 1) * SECOND };
      if (index % 3 === 2) await putImage(service, account, { ...item, bytes: picture, size: '1376x768' });
      else await putVideo(service, account, { ...item, bytes: video });
    }
    return { account, picture };
  };

  test('loads few bytes and four posters at a time, and plays on hover and focus', async () => {
    const { account, picture } = await accountWithPosters();
    for (const { length } of [video, picture]) assert.ok((POSTERS / 3) * length > MAX_POSTER_BYTES);
    const { page, assertClean, close } = await openConsole(openPage, service, {
      account,
      path: '/settings',
      viewport: { width: 1280, height: 2600 },
      reducedMotion: 'no-preference',
    });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.enable');
    let bytes = 0;
    devTools.on('Network.dataReceived', ({ dataLength }) => {
      bytes += dataLength;
    });
    const loading = new Set<string>();
    let most = 0;
    page.on('request', (request) => {
      if (!/\/(content|preview)$/.test(request.url())) return;
      loading.add(request.url());
      most = Math.max(most, loading.size);
    });
    const end = (request: Request) => loading.delete((request.redirectedFrom() ?? request).url());
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    await page.getByRole('link', { name: texts.navigation.library }).first().click();
    await until(
      async () =>
        (await page
          .locator('.poster video, .poster img')
          .evaluateAll(
            (posters) =>
              posters.filter((poster) => Object(poster).readyState >= 2 || Object(poster).naturalWidth > 0)
                .length,
          )) === POSTERS,
    );
    assert.deepEqual(
      await page.locator('.item-link').allTextContents(),
      Array.from({ length: POSTERS }, (_, index) => `Item ${index}.`),
    );
    assert.ok(bytes < MAX_POSTER_BYTES, `${bytes} bytes`);
    assert.ok(most <= 4, `${most} at a time`);

    await card(page, 'Item 1.').hover();
    await until(() => playsMuted(page, 'Item 1.'));
    await page.locator('h1').hover();
    await page.locator('.poster-playing').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Item 3.' }).focus();
    await until(() => playsMuted(page, 'Item 3.'));
    assertClean();

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.locator('h1').focus();
    await card(page, 'Item 4.').hover();
    await page.getByRole('link', { name: 'Item 0.' }).focus();
    assert.equal(await page.locator('.poster-playing').count(), 0);

    await page.getByRole('radio', { name: texts.library.views.list }).check({ force: true });
    await page.reload();
    await page.locator('.items-list').waitFor();
    assertClean();
    await close();
  });

  test('plays a poster on the first tap and opens it on the second', async () => {
    const account = newAccount();
    await putVideo(service, account, { prompt: 'A fox', createdAt: Date.now(), bytes: video });
    const { page, assertClean, close } = await openConsole(openPage, service, {
      account,
      path: '/library',
      viewport: { width: 320, height: 800 },
      reducedMotion: 'no-preference',
      fresh: { hasTouch: true, isMobile: true },
    });
    await page.locator('.poster video').waitFor();
    await page.locator('.poster').tap({ force: true });
    await until(() => playsMuted(page, 'A fox'));
    await page.locator('.poster').tap({ force: true });
    await page.locator('.player').waitFor();
    assertClean();
    await close();
  });

  test('brings back the images of a task, and uses frames and images for the next video', async () => {
    const account = newAccount();
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    const form = new FormData();
    for (const [name, value] of Object.entries({
      model: 'video-3.1-generate-preview',
      prompt: 'A kite [sample: filtered]',
    }))
      form.append(name, value);
    form.append('input_reference', file(JPEG, 'first.jpg', 'image/jpeg'));
    form.append('last_frame', file(JPEG, 'last.jpg', 'image/jpeg'));
    const failed = readId(await call(access, 'POST', '/v1/videos', { body: form }));
    await waitFor(access, failed);
    const [made, image] = [
      await putVideo(service, account, { prompt: 'A fox', createdAt: Date.now(), bytes: video }),
      await putImage(service, account, { prompt: 'A hare', createdAt: Date.now(), bytes: JPEG }),
    ];
    const { page, assertClean, close } = await open(account, `/library/${failed}`);
    await button(page, texts.actions.useAgain).click();
    await page.getByAltText('input-1.jpeg').waitFor();
    await page.getByAltText('input-2.jpeg').waitFor();
    assert.equal(await promptField(page).inputValue(), 'A kite [sample: filtered]');

    await followLink(page, service, `/library/${made}`);
    await button(page, texts.library.continueVideo).click();
    const frame = page.getByAltText(`${made}-last-frame.jpeg`);
    await frame.waitFor();
    // A canvas that may not be read would have failed.
    const width = () => frame.evaluate((image) => Object(image).naturalWidth);
    await until(async () => (await width()) === 1280);
    assert.equal(await promptField(page).inputValue(), 'A fox');

    for (const action of [texts.library.useAs.first, texts.library.useAs.references]) {
      await followLink(page, service, `/library/${image}`);
      await button(page, action).click();
      await page.getByAltText(`${image}.jpeg`).waitFor();
    }
    assertClean();
    await close();
  });

  test('searches all older items by itself, until it is stopped', async () => {
    const account = newAccount();
    const now = Date.now();
    const prompts = Array.from({ length: 210 }, (_, index) => (index === 205 ? 'A needle' : `Hay ${index}`));
    await Promise.all(
      prompts.map((prompt, index) =>
        putVideo(service, account, { prompt, createdAt: now - (index + 1) * SECOND }),
      ),
    );
    const path = '/library?status=failed';
    const { page, assertClean, close } = await openConsole(openPage, service, { account, path });
    // Back leads to the place that was left, in the same list.
    const hay = page.getByRole('link', { name: 'Hay 60', exact: true });
    await hay.scrollIntoViewIfNeeded();
    // The browser skips parts of the list; one long list would scroll slowly.
    assert.ok((await page.locator('ul.items').count()) > 1);
    for (const goBack of [
      () => page.getByRole('link', { name: texts.library.back }).click(),
      () => page.goBack(),
    ]) {
      const left = (await hay.boundingBox())?.y ?? 0;
      await hay.click();
      await page.getByText(texts.task.advice.content_blocked).waitFor();
      // Lists of a minute ago are fetched again, and rendered twice before the next frame.
      await page.evaluate('Date.now = ((now) => () => now() + 60_000)(Date.now)');
      await goBack();
      await until(async () => (await page.evaluate('document.activeElement.textContent')) === 'Hay 60');
      await until(async () => Math.abs(((await hay.boundingBox())?.y ?? 0) - left) < 2);
      assert.match(page.url(), /\/library\?status=failed$/);
    }
    const held: (() => Promise<void>)[] = [];
    let isHeld = true;
    await page.route('**/v1/videos?*after=*', async (route) => {
      if (isHeld) held.push(() => route.continue());
      else await route.continue();
    });
    await page.getByLabel(texts.library.search).fill('needle');
    await until(async () => held.length > 0);
    await page.getByText(/^0 found, 100 searched so far, back to /).waitFor();
    await assertAccessible(page, 'a search');
    await button(page, texts.library.stopSearch).click();
    isHeld = false;
    for (const release of held) await release();
    await page.getByText(/^0 found, 200 searched so far/).waitFor();
    await button(page, texts.library.searchOlder).click();
    await page.getByText(texts.library.searchedAll('1', '210')).waitFor();
    await page.getByRole('link', { name: 'A needle' }).click();
    await page.getByRole('link', { name: texts.library.back }).first().click();
    // The search survives.
    await page.getByText(texts.library.searchedAll('1', '210')).waitFor();
    assertClean();
    await close();
  });

  test('downloads and deletes several items, names those that fail, and keeps the filters', async () => {
    const account = newAccount();
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    const now = Date.now();
    const fox = await putVideo(service, account, { prompt: 'A fox', createdAt: now, bytes: video });
    await putVideo(service, account, { prompt: 'A failure', createdAt: now - SECOND });
    await putImage(service, account, { prompt: 'A hare', createdAt: now - 2 * SECOND, bytes: JPEG });
    await createVideo(access, 'A kite [sample: never done]');
    const { page, takeProblems, close } = await open(account, '/library?from=2026-01-01');
    // A badge is always a status; an image has none here, because only finished ones are listed.
    await card(page, 'A hare').getByText(texts.library.kinds.image, { exact: true }).waitFor();
    assert.equal(await card(page, 'A hare').locator('.badge').count(), 0);
    assert.equal(await card(page, 'A failure').locator('.badge').textContent(), texts.states.failed);
    await check(page, 'A fox');
    await card(page, 'A hare')
      .locator('.item-check')
      .click({ modifiers: ['Shift'] });
    const names: string[] = [];
    page.on('download', (download) => names.push(download.suggestedFilename()));
    await button(page, texts.actions.download).click();
    await page.getByText(texts.library.notDownloaded('1', '3')).waitFor();
    await until(async () => names.length === 1);
    assert.match(names.join(), /^library-.+\.zip$/);
    await page.getByText(texts.library.chosen('1')).waitFor();
    await assertAccessible(page, 'failures');

    for (const prompt of ['A fox', 'A kite']) await check(page, prompt);
    await button(page, texts.actions.delete).click();
    await page.getByRole('dialog').getByRole('button', { name: texts.actions.delete }).click();
    await page.getByText(texts.library.notDeleted('1', '3')).waitFor();
    await page.locator('.problem-details').getByText('A kite').waitFor();
    assert.deepEqual((await page.locator('.item-link').allTextContents()).length, 2);
    assert.equal((await call(access, 'GET', `/v1/videos/${fox}`)).status, 404);

    await page.getByRole('link', { name: 'A hare' }).click();
    await page.locator('.badge', { hasText: texts.states.completed }).waitFor();
    await button(page, texts.actions.delete).click();
    await page.getByRole('dialog').getByRole('button', { name: texts.actions.delete }).click();
    await page.getByRole('link', { name: /A kite/ }).waitFor();
    assert.match(page.url(), /\/library\?from=2026-01-01$/);
    assert.equal(await page.locator('.item').count(), 1);
    assertOnlyStatuses(takeProblems(), [404, 409]);
    await close();
  });
});
