import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses, playAndSeek, sharedVideo } from './playground.ts';
import { consoleOrigins, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const account = newAccount();
const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };

const IS_READY = `new Promise((resolve) => {
  const player = document.querySelector('video');
  const check = () => (player.readyState >= 2 ? resolve([player.videoWidth, player.duration]) : setTimeout(check, 50));
  check();
})`;

describe('a share link', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  const open = (item: unknown) => openConsole(openPage, service, { account, path: `/library/${item}` });
  let id = '';
  before(async () => {
    const bytes = await sharedVideo(service);
    id = await putVideo(service, account, { prompt: 'A kite over the dunes', createdAt: Date.now(), bytes });
  });

  /** A visitor has neither cookies nor an account. */
  const visit = (options = {}) => openPage(consoleOrigins(service), options);
  const share = async (terms: object): Promise<string> =>
    String((await call(access, 'POST', '/v1/shares', { json: terms })).body.url);

  test('is created in the console, plays for a visitor, and ends when it is revoked', async () => {
    const { page, assertClean, close } = await open(id);
    // The list, as it was before the new link, arrives after it.
    const created = Promise.withResolvers<void>();
    const answerLate = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      await created.promise;
      // The console may have dropped the request.
      await route.fulfill({ response }).catch(() => {});
    };
    await page.route('**/v1/shares?*', answerLate, { times: 1 });
    await page.getByRole('button', { name: texts.share.action }).click();
    const dialog = page.getByRole('dialog', { name: texts.share.titles.video_id });
    await dialog.getByLabel(texts.share.duration).selectOption(texts.share.durations.hour);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/v1/shares', async (route) => {
      requests++;
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    // Two clicks at once create one link, and the button keeps the focus until the link takes it.
    const create = dialog.getByRole('button', { name: texts.share.create });
    await create.focus();
    await create.evaluate((button: { click(): void }) => {
      button.click();
      button.click();
    });
    await asked.promise;
    assert.equal(await page.evaluate('document.activeElement.textContent'), texts.share.create);
    answer.resolve();
    const link = dialog.getByLabel(texts.share.link, { exact: true });
    const url = await link.inputValue();
    assert.equal(await page.evaluate('document.activeElement.value'), url);
    created.resolve();
    await dialog.getByText(texts.share.created, { exact: true }).waitFor();
    assert.equal(requests, 1);
    assert.equal(await link.inputValue(), url);
    assert.equal(await page.evaluate('document.activeElement.value'), url);
    await assertAccessible(page, 'the share dialog');

    const visitor = await visit();
    await visitor.page.goto(url);
    assert.deepEqual(await playAndSeek(visitor.page), [1280, 720, 4, 3]);
    await assertAccessible(visitor.page, 'the page of a video');
    assert.deepEqual(await visitor.page.context().cookies(), []);
    visitor.assertClean();

    await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
    await dialog.getByText(texts.share.none).waitFor();
    assert.equal(await link.count(), 0);
    await visitor.page.reload();
    await visitor.page.getByText('This link does not work').waitFor();
    assertOnlyStatuses(visitor.takeProblems(), [404]);
    await assertAccessible(visitor.page, 'the page of a dead link');
    assertClean();
    await visitor.close();
    await close();
  });

  test('works without JavaScript, wide and light or narrow and dark', async () => {
    const url = await share({ video_id: id, show_prompt: true });
    const visitor = await visit({ fresh: { javaScriptEnabled: false } });
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [320, 'dark'],
    ] as const) {
      await visitor.page.setViewportSize({ width, height: 800 });
      await visitor.page.emulateMedia({ colorScheme });
      await visitor.page.goto(url);
      assert.deepEqual(await visitor.page.evaluate(IS_READY), [1280, 4]);
      await visitor.page.getByText('A kite over the dunes').waitFor();
      const [download] = await Promise.all([
        visitor.page.waitForEvent('download'),
        visitor.page.getByRole('link', { name: 'Download' }).click(),
      ]);
      assert.equal(download.suggestedFilename(), 'video.mp4');
      visitor.assertClean();
    }
    await visitor.close();
  });

  test('shows an image, and sends no referrer', async () => {
    const image = { prompt: 'A red kite', createdAt: Date.now(), bytes: JPEG };
    const url = await share({ file_id: await putImage(service, account, image) });
    const visitor = await visit({ viewport: { width: 1280, height: 800 } });
    const referrers: string[] = [];
    visitor.page.on('request', (request) => referrers.push(request.headers().referer ?? ''));
    await visitor.page.goto(url);
    await visitor.page.getByRole('img', { name: 'Shared image' }).waitFor();
    await visitor.page.waitForFunction('document.images[0].complete');
    assert.equal(await visitor.page.evaluate('document.images[0].naturalWidth'), 32);
    assert.deepEqual(new Set(referrers), new Set(['']));
    await assertAccessible(visitor.page, 'the page of an image');
    visitor.assertClean();
    await visitor.close();
  });

  test('shows a collection in its order, from item to item, until it is revoked', async () => {
    const createdAt = Date.now();
    const putKite = () => putImage(service, account, { prompt: 'A red kite', createdAt, bytes: JPEG });
    const [first, last] = [await putKite(), await putKite()];
    const collection = { name: 'Kites', item_ids: [first, id, last], cover_id: id };
    const { body } = await call(access, 'POST', '/v1/collections', { json: collection });
    const { page, assertClean, close } = await open(body.id);
    await page.getByRole('button', { name: texts.share.action, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: texts.share.titles.collection_id });
    await dialog.getByRole('button', { name: texts.share.create }).click();
    const url = await dialog.getByLabel(texts.share.link, { exact: true }).inputValue();

    const visitor = await visit();
    await visitor.page.goto(url);
    await visitor.page.getByRole('heading', { name: 'Kites', exact: true }).waitFor();
    const stage = visitor.page.locator('.stage');
    assert.deepEqual(await visitor.page.evaluate(IS_READY), [1280, 4]);
    await visitor.page.getByText('2 of 3', { exact: true }).waitFor();
    assert.deepEqual(await visitor.page.locator('.parts a').allTextContents(), [
      'Image 1',
      'Video 2',
      'Image 3',
    ]);
    await assertAccessible(visitor.page, 'the page of a collection');
    await visitor.page.getByRole('link', { name: 'Next', exact: true }).click();
    await stage.getByRole('img', { name: 'Shared image' }).waitFor();
    assert.equal(await visitor.page.getByRole('link', { name: 'Next', exact: true }).count(), 0);
    await visitor.page.getByRole('link', { name: 'Image 1', exact: true }).click();
    await visitor.page.getByText('1 of 3', { exact: true }).waitFor();
    const [download] = await Promise.all([
      visitor.page.waitForEvent('download'),
      visitor.page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'image-1.jpg');
    visitor.assertClean();

    await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
    await dialog.getByText(texts.share.none).waitFor();
    await visitor.page.reload();
    await visitor.page.getByText('This link does not work').waitFor();
    assertOnlyStatuses(visitor.takeProblems(), [404]);
    assertClean();
    await visitor.close();
    await close();
  });
});
