import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { JPEG } from '../../support/images.ts';
import { putImage } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';
import { assertAccessible } from './accessibility.ts';
import { addImages, assertOnlyStatuses, choose, generateButton, promptField } from './playground.ts';
import { type ConsolePage, openConsole } from './signed-in.ts';

const service = await openSharedService();
const path = '/playground/images';
/** The picture may be drawn again at any moment, as after a crop. */
const hasLoaded = (selector: string, condition: string): string => `(() => {
  const { naturalWidth, naturalHeight } = document.querySelector('${selector}') ?? {};
  return naturalWidth > 0 && ${condition};
})()`;

/** The answer to a request whose first one is under way. */
const UNDER_WAY = {
  status: 409,
  json: {
    error: {
      code: 409,
      message: 'A request with the same Idempotency-Key is in progress.',
      status: 'ABORTED',
    },
  },
};

describe('the image playground', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // The first two tests continue each other on one page.
  let shared: ConsolePage;
  before(async () => {
    shared = await openConsole(openPage, service, { path });
  });

  test('reports each error of the generator with its request id', async () => {
    const { page, takeProblems } = shared;
    let requestId = '';
    page.on('response', (response) => {
      if (response.request().method() === 'POST') requestId = response.headers()['x-request-id'] ?? '';
    });
    for (const [status, testPrompt] of [
      [429, 'error 429 per-day'],
      [503, 'error 503 always'],
      [400, 'blocked IMAGE_SAFETY'],
    ] as const) {
      requestId = 'none yet';
      await promptField(page).fill(`A kite [sample: ${testPrompt}]`);
      await generateButton(page).click();
      const problem = page.getByRole('alert').filter({ hasText: texts.errors.requestId });
      await until(async () => ((await problem.textContent()) ?? '').includes(requestId));
      await problem.getByText(texts.images.advice[status] ?? '').waitFor();
      assert.equal(await generateButton(page).isEnabled(), true);
      assertOnlyStatuses(takeProblems(), [status]);
    }
  });

  test('keeps several images of one request until they are deleted, shows them large, and uses them as inputs', async () => {
    const { page, assertClean } = shared;
    const input = { name: 'input.jpg', mimeType: 'image/jpeg', buffer: JPEG };
    await addImages(page, texts.form.inputs, input);
    // The generator takes the whole image, unless the person crops it.
    assert.equal(await page.locator('.crop').count(), 0);
    await page.getByRole('button', { name: texts.crop.begin('1:1') }).click();
    await page.getByLabel(texts.crop.part).press('End');
    await page.getByRole('button', { name: texts.crop.apply }).click();
    await page.locator('.crop').waitFor({ state: 'detached' });
    await until(() => page.evaluate<boolean>(hasLoaded('.preview img', 'naturalWidth === naturalHeight')));
    await promptField(page).fill('<i>A kite</i> طائرة');
    await choose(page, '16:9');
    await page.getByRole('button', { name: texts.crop.switchTo('1:1') }).waitFor();
    await page.getByText(texts.estimate.none).waitFor();
    await page
      .locator('fieldset', { hasText: texts.images.count })
      .locator('label', { hasText: '2' })
      .click();
    await choose(page, '1K');
    assert.match((await generateButton(page).textContent()) ?? '', /^Generate 2 for \$0\.14/);
    await choose(page, '512');
    await generateButton(page).click();
    const images = page.getByRole('img', { name: '<i>A kite</i> طائرة' });
    await images.nth(1).waitFor();
    await page.getByText(texts.estimate.whole('', '2').split(', ')[1] ?? '').waitFor();
    await page.reload();
    await images.nth(1).waitFor();
    await until(() => page.evaluate<boolean>(hasLoaded('.gallery img', 'naturalWidth > naturalHeight')));

    await page.getByTitle(texts.batch.open).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(texts.images.viewer(1, 2)).waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog.getByText(texts.images.viewer(2, 2)).waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog.getByText(texts.images.viewer(2, 2)).waitFor();
    await assertAccessible(page, 'an enlarged image');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('ArrowLeft');
    await dialog.getByText(texts.images.viewer(1, 2)).waitFor();
    await dialog.getByRole('button', { name: texts.images.asInput }).click();
    await page.locator('form .preview').nth(1).waitFor();
    await generateButton(page).click();
    await images.nth(3).waitFor();

    for (const left of [4, 3, 2, 1, 0]) {
      await until(async () => (await images.count()) === left);
      if (left === 0) break;
      await page.getByRole('button', { name: texts.actions.delete }).first().click();
      await dialog.getByRole('button', { name: texts.actions.delete }).click();
    }
    await page.getByText(texts.images.galleryEmptyTitle).waitFor();
    assertClean();
  });

  test('waits for an image whose page was reloaded', async () => {
    const { page, account, takeProblems, close } = await openConsole(openPage, service, { path });
    await putImage(service, account, { prompt: 'A fox', createdAt: Date.now(), bytes: JPEG });
    // The first request gets lost with the page; the second finds that the first is still under way.
    let mayEnd = false;
    await page.route('**:generateContent', async (route) => {
      if (mayEnd) await route.continue();
      else if (requests.length > 1) await route.fulfill(UNDER_WAY);
    });
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(':generateContent'))
        requests.push(request.headers()['idempotency-key'] ?? '');
    });
    const waiting = page.locator('.gallery .working');
    const generateAndReload = async (prompt: string) => {
      [mayEnd, requests.length] = [false, 0];
      await promptField(page).fill(prompt);
      await generateButton(page).click();
      await waiting.waitFor();
      await until(() => requests.length === 1);
      await page.reload();
      await until(() => requests.length > 1);
      assert.equal(new Set(requests).size, 1);
    };
    await generateAndReload('A kite in a storm');
    // Longer than the 4 seconds of the last image.
    await waiting.getByText(texts.estimate.longer).waitFor();
    mayEnd = true;
    await page.getByRole('img', { name: 'A kite in a storm' }).waitFor();
    await waiting.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('img', { name: 'A kite in a storm' }).waitFor();
    assert.equal(await waiting.count(), 0);

    await generateAndReload('A blocked kite [sample: blocked]');
    mayEnd = true;
    await page.locator('.notice-bad', { hasText: 'The prompt was blocked' }).waitFor();
    await waiting.waitFor({ state: 'detached' });
    assertOnlyStatuses(takeProblems(), [400, 409]);
    await close();
  });

  test('shows the code for its form, and makes an image the first frame of a video', async () => {
    const { page, assertClean, close } = await openConsole(openPage, service, { path });
    await promptField(page).fill('A kite "at dawn"');
    await page.getByRole('tab', { name: texts.video.code }).click();
    const code = page.getByRole('tabpanel').locator('code');
    assert.match((await code.textContent()) ?? '', /generations[\s\S]*"prompt": "A kite \\"at dawn\\""/);
    const counts = page.locator('fieldset', { hasText: texts.images.count });
    await counts.locator('label', { hasText: '2' }).click();
    await code.getByText('"n": 2').waitFor();
    await counts.locator('label', { hasText: '1' }).click();
    const input = { name: 'input.jpg', mimeType: 'image/jpeg', buffer: JPEG };
    await addImages(page, texts.form.inputs, input);
    await code.getByText('image=@"input.jpg"').waitFor();
    await generateButton(page).click();
    await page.getByRole('img', { name: 'A kite "at dawn"' }).waitFor();
    await page.getByRole('button', { name: texts.library.useAs.first }).click();
    await page.getByRole('heading', { name: texts.video.title }).waitFor();
    await page.locator('form .preview img').waitFor();
    assert.equal(await promptField(page).inputValue(), 'A kite "at dawn"');
    assertClean();
    await close();
  });
});
