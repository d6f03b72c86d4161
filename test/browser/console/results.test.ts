import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { HELD_BACK, MODEL, waitFor } from '../../support/http.ts';
import { JPEG, png } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';
import { assertAccessible } from './accessibility.ts';
import { addImages, choose, fileField, generateButton, promptField, workingStage } from './playground.ts';
import { type ConsolePage, followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();

const chooseIn = (page: Page, legend: string, label: string): Promise<void> =>
  page.locator('fieldset', { hasText: legend }).locator('label', { hasText: label }).click();

const strip = (page: Page) => page.locator('.strip-item');

/** Pastes or drops images of these names outside of every field. */
const send = (page: Page, type: 'paste' | 'drop', ...names: readonly string[]): Promise<unknown> =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob('${JPEG.toString('base64')}'), (character) => character.charCodeAt(0));
    for (const name of ${JSON.stringify(names)})
      transfer.items.add(new File([bytes], name, { type: 'image/jpeg' }));
    const options = { bubbles: true, cancelable: true };
    document.querySelector('h1').dispatchEvent(
      '${type}' === 'paste'
        ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
        : new DragEvent('drop', { ...options, dataTransfer: transfer }),
    );
  })()`);

/** Asks nobody, and remembers what was shown. */
const NOTIFICATIONS = `globalThis.shown = [];
globalThis.Notification = class {
  static permission = 'default';
  static requestPermission = async () => (this.permission = 'granted');
  constructor(title) { shown.push(title); }
};`;

/** As if another tab were in front. */
const setHidden = (isHidden: boolean): string => `
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
  document.dispatchEvent(new Event('visibilitychange'));`;

/** Runs in the page. */
const WIDTHS = (images: readonly unknown[]): readonly number[] =>
  images.map((image) => Number(Object(image).naturalWidth));

/** Runs in the page: whether each image has its own shape within its box, and its crop lies within it. */
const ARE_WHOLE = `[...document.querySelectorAll('.preview')].map((preview) => {
  const image = preview.querySelector('img');
  // A preview is shown before its image.
  if (image === null) return false;
  const contains = (outer, inner) => inner === undefined || (
    inner.left >= outer.left - 1 && inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
  );
  const box = image.getBoundingClientRect();
  return (
    Math.abs(box.width / box.height - image.naturalWidth / image.naturalHeight) < 0.02 &&
    contains(preview.getBoundingClientRect(), box) &&
    contains(box, preview.querySelector('.crop-kept')?.getBoundingClientRect())
  );
}).join()`;

/** A video that plays keeps several threads busy. */
const PAUSE = `document.querySelectorAll('video').forEach((video) => video.pause())`;

const wide = (page: Page) => page.setViewportSize({ width: 1280, height: 800 });

describe('the results of the video playground', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // The tests continue each other on one page, so that two videos are enough.
  let shared: ConsolePage;
  before(async () => {
    shared = await openConsole(openPage, service, {
      reducedMotion: 'no-preference',
      fresh: {},
      prepare: (page) => page.addInitScript(NOTIFICATIONS),
    });
  });

  test('are as many variations as chosen, for their price together, which announce their end and play together', async () => {
    const { page } = shared;
    await promptField(page).fill('A kite');
    await page.getByLabel(texts.form.model).selectOption(MODEL);
    await choose(page, texts.form.secondsValue(4));
    await chooseIn(page, texts.form.variations, '2');
    await page.getByText(texts.form.more).click();
    await page.getByLabel(texts.form.seed).fill('7');
    assert.match((await generateButton(page).textContent()) ?? '', /^Generate 2 for \$3\.20/);
    await page.getByText(texts.estimate.none).waitFor();
    const notice = page.locator('.notice', { hasText: texts.batch.finished('2', 'A kite') });
    const announced = notice.getByRole('link', { name: texts.recent.show }).waitFor();
    await generateButton(page).click();
    await page.getByText(texts.batch.title('2')).waitFor();
    await page.getByRole('button', { name: texts.notifications.allow }).click();
    await until(async () => (await page.title()).startsWith(texts.title.running('2')));
    await page.evaluate(setHidden(true));
    await until(async () => (await page.title()).startsWith(texts.title.ready));
    assert.deepEqual(await page.evaluate('shown'), [texts.batch.finished('2', 'A kite')]);
    await page.evaluate(setHidden(false));
    await until(async () => (await page.title()).startsWith(texts.video.title));
    await page.getByText(texts.estimate.whole('', '2').split(', ')[1] ?? '').waitFor();
    await strip(page).nth(1).waitFor();
    assert.equal(await strip(page).count(), 2);
    await announced;
    await until(
      async () =>
        (await page.evaluate(
          `[...document.querySelectorAll('.batch video')].map(({ currentTime }) => currentTime > 0.2).join()`,
        )) === 'true,true',
    );
    await page.getByRole('button', { name: texts.batch.pause }).click();
    await page.getByRole('button', { name: `${texts.batch.keep}: ${texts.video.seed(7)}` }).click();
    await page.getByText(texts.batch.kept).waitFor();
    await assertAccessible(page, 'variations of which one is chosen');
    await wide(page);
    await page.getByRole('button', { name: `${texts.batch.open}: ${texts.video.seed(7)}` }).click();
    await page.locator('.stage').getByText(texts.video.seed(7)).waitFor();
    await page.locator('.stage').getByRole('button', { name: texts.library.kept, pressed: true }).waitFor();
    await page.locator('.strip-item video').nth(1).waitFor();
  });

  test('stay first when others of the account create many, can be shown alone, and are told apart by their seeds', async () => {
    const { page, account } = shared;
    for (let count = 0; count < 7; count += 1)
      await putVideo(service, account, {
        prompt: `A fox ${count}`,
        createdAt: Date.now() + count,
        bytes: JPEG,
      });
    await page.reload();
    await strip(page).nth(5).waitFor();
    const names = await strip(page).allTextContents();
    assert.deepEqual(
      names.slice(0, 2).toSorted(),
      [7, 8].map(
        (seed) => `${texts.recent.item(texts.states.completed, 'A kite')}, ${texts.video.seed(seed)}`,
      ),
    );
    assert.match(names[2] ?? '', /A fox 6/);
    await choose(page, texts.scope.mine(false));
    await strip(page).nth(2).waitFor({ state: 'detached' });
    assert.equal(await strip(page).count(), 2);
    await choose(page, texts.scope.account);
    await strip(page).nth(5).waitFor();
  });

  test('are compared side by side', async () => {
    const { page } = shared;
    await page.getByRole('button', { name: texts.recent.compare }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: texts.compare.playBoth }).click();
    await until(
      async () =>
        (await page.evaluate(
          `[...document.querySelectorAll('dialog video')].map(({ currentTime }) => currentTime > 0).join()`,
        )) === 'true,true',
    );
    assert.equal(
      await page.evaluate(
        `new Set([...document.querySelectorAll('dialog video')].map(({ src }) => src)).size`,
      ),
      2,
    );
    const compared = (await dialog.locator('option:checked').allTextContents()).join();
    for (const seed of [7, 8]) assert.ok(compared.includes(texts.video.seed(seed)), compared);
    await page.evaluate(PAUSE);
    await assertAccessible(page, 'two videos side by side');
    await wide(page);
    await page.keyboard.press('Escape');
  });

  test('leave their prompts in the history', async () => {
    const { page } = shared;
    await promptField(page).fill('');
    await page.getByRole('button', { name: texts.form.recentPrompts }).click();
    const prompts = page.getByRole('dialog').locator('.example');
    await prompts.first().waitFor();
    assert.deepEqual(await prompts.allTextContents(), ['A kite']);
    await assertAccessible(page, 'recent prompts');
    await wide(page);
    await prompts.first().click();
    assert.equal(await promptField(page).inputValue(), 'A kite');
  });

  test('continue as the first frame of another video, and are dragged into the form', async () => {
    const { page, account } = shared;
    await strip(page).first().click();
    await page.getByRole('button', { name: texts.video.continue }).click();
    const preview = page.locator('.preview');
    await preview.waitFor();
    assert.equal(await page.getByLabel(texts.modes.first_frame, { exact: true }).first().isChecked(), true);
    assert.equal(await page.getByLabel(texts.form.seed, { exact: true }).inputValue(), '');
    await choose(page, '9:16');
    await page.getByRole('button', { name: texts.crop.switchTo('16:9') }).waitFor();
    await assertAccessible(page, 'the tools of a crop');
    await wide(page);
    await page.getByLabel(texts.crop.part).press('End');
    assert.match((await page.locator('.crop-kept').getAttribute('x')) ?? '', /^8[67]\d/);
    await page.getByRole('button', { name: texts.crop.apply }).click();
    await page.locator('.crop').waitFor({ state: 'detached' });
    await choose(page, '16:9');
    await page.getByRole('button', { name: texts.crop.switchTo('9:16') }).click();
    await page.locator('.crop').waitFor({ state: 'detached' });
    await choose(page, '16:9');

    // A video takes the place of the frame.
    const [before] = await preview.locator('img').evaluateAll(WIDTHS);
    await preview.scrollIntoViewIfNeeded();
    await strip(page).nth(1).dragTo(preview);
    await until(async () => (await preview.locator('img').evaluateAll(WIDTHS))[0] !== before);

    const image = await putImage(service, account, { prompt: 'A fox', createdAt: Date.now(), bytes: JPEG });
    await followLink(page, service, '/library?kind=image');
    await page.locator(`[data-item="${image}"]`).hover();
    await page.mouse.down();
    await page.mouse.move(300, 300, { steps: 3 });
    const place = page.locator('.drop-tray').getByText(texts.library.dropAs.last);
    await place.hover();
    await page.mouse.up();
    await page.getByAltText(image).waitFor();
    assert.equal(await preview.count(), 2);
    await choose(page, texts.modes.text);
  });

  test('stay when another video is requested, which says why it waits and can be cancelled, until the others of a batch are deleted', async () => {
    const { page, account } = shared;
    await chooseIn(page, texts.form.variations, '1');
    if (!(await page.getByLabel(texts.form.seed, { exact: true }).isVisible()))
      await page.getByText(texts.form.more).click();
    await page.getByLabel(texts.form.seed, { exact: true }).fill('9');
    await page.getByRole('button', { name: texts.actions.remove(texts.video.seed(9)) }).click();
    assert.equal(await page.getByLabel(texts.form.seed, { exact: true }).inputValue(), '');
    await promptField(page).fill(HELD_BACK);
    await generateButton(page).click();
    await workingStage(page).waitFor();
    await page.getByText(texts.queue.upstream_retry).waitFor();
    await strip(page).nth(2).waitFor();
    await assertAccessible(page, 'a queued video above earlier ones');
    await wide(page);
    const cancel = page.getByRole('button', { name: texts.actions.cancel, exact: true, disabled: false });
    // The service refuses while its worker tries to submit the task.
    await until(async () => {
      if (await cancel.isVisible()) await cancel.click();
      return page.getByText(texts.task.advice.cancelled).isVisible();
    }, 500);
    await assertAccessible(page, 'a cancelled video');
    await wide(page);
    await strip(page).nth(1).click();
    await page.locator('video.player').waitFor();
    await page.getByRole('button', { name: texts.batch.all('2') }).click();
    // Chromium logs a 404 for a player that is still loading when its video is deleted.
    await until(() =>
      page
        .locator('video')
        .evaluateAll((players) =>
          players.every((player) => 'readyState' in player && player.readyState !== 0),
        ),
    );
    await page.getByRole('button', { name: texts.batch.deleteOthers('1') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: texts.batch.deleteOthers('1') })
      .click();
    await page.getByText(texts.batch.deleted('1')).waitFor();
    await page.locator('.batch').waitFor({ state: 'detached' });
    await page.locator('.stage').getByText(texts.video.seed(7)).waitFor();

    // Others of the account end without a notice; one's own that end together are one notice with a link.
    const access = { ...service, apiKey: await service.issueKey(account) };
    const foreign = await putVideo(service, account, { prompt: 'A cat', createdAt: Date.now() });
    const own: string[] = [];
    const { promise: haveEnded, resolve: letPageSee } = Promise.withResolvers<void>();
    const { pathname } = new URL(`${service.baseUrl}/v1/videos`);
    await page.route(
      (url) => url.pathname.startsWith(pathname) && !url.pathname.endsWith('/content'),
      async (route) => {
        const isOver = own.length > 0;
        const isList =
          route.request().method() === 'GET' && new URL(route.request().url()).pathname === pathname;
        if (isOver && route.request().method() === 'GET') await haveEnded;
        if (!isList) return route.continue();
        // Playwright leaves it out, but the service accepts a session only from its own pages.
        const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
        const response = await route.fetch({ headers });
        const { data, ...list } = await response.json();
        const shown = data.map((video: { readonly id: string }) =>
          isOver || video.id !== foreign ? video : { ...video, status: 'in_progress' },
        );
        await route.fulfill({ response, json: { ...list, data: shown } });
      },
    );
    await page.reload();
    await strip(page)
      .filter({ hasText: texts.recent.item(texts.states.in_progress, 'A cat') })
      .waitFor();
    for (const prompt of ['A fox', 'A hen']) {
      await promptField(page).fill(`${prompt} [sample: filtered]`);
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await generateButton(page).click();
      own.push((await (await answered).json()).id);
      await page.locator('.stage .prompt-text', { hasText: prompt }).waitFor();
    }
    for (const id of own) await waitFor(access, id);
    letPageSee();
    const failures = page.locator('.notice-bad');
    await failures.filter({ hasText: texts.recent.severalFailed('2') }).waitFor();
    await failures.getByRole('link', { name: texts.recent.show }).waitFor();
    await strip(page)
      .filter({ hasText: texts.recent.item(texts.states.failed, 'A cat') })
      .waitFor();
    assert.equal(await failures.count(), 1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const problems = shared.takeProblems().filter((problem) => !problem.includes('status of 409'));
    assert.deepEqual(problems, []);
  });
});

describe('images that are pasted or dropped anywhere', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('become frames, which show how they are cropped and which a link contains, or references, of which a fourth is refused', async () => {
    const { page, assertClean, close } = await openConsole(openPage, service);
    await promptField(page).waitFor();
    await choose(page, texts.modes.first_frame);
    const portrait = { name: 'portrait.png', mimeType: 'image/png', buffer: png(90, 160) };
    await fileField(page, texts.roleLabels.first()).waitFor();
    // Nothing is wrong before the first attempt.
    assert.equal(await page.locator('form .wrong').count(), 0);
    await addImages(page, texts.roleLabels.first(), portrait);
    await page.locator('.crop-kept').waitFor();
    assert.equal(await page.evaluate(ARE_WHOLE), 'true');
    await page.getByRole('button', { name: texts.actions.remove('portrait.png') }).click();
    await choose(page, texts.modes.text);
    await send(page, 'paste', 'pasted.jpg');
    await page.getByAltText('pasted.jpg').waitFor();
    assert.equal(await page.getByLabel(texts.modes.first_frame, { exact: true }).first().isChecked(), true);
    await choose(page, '9:16');
    await page.getByText(texts.form.cropped('9:16')).waitFor();
    await assertAccessible(page, 'a cropped frame');
    await wide(page);

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await promptField(page).fill('A kite & a fox');
    await page.getByRole('button', { name: texts.form.copyLink }).click();
    await page.getByText(texts.links.copiedWithImages).waitFor();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    await promptField(page).fill('Another prompt');
    await page.getByRole('button', { name: texts.actions.remove('pasted.jpg') }).click();
    await choose(page, '16:9');
    await page.goto(`${link}&seconds=7&autostart=%3Cb%3E`);
    await page
      .getByText(
        texts.links.dropped(
          [texts.links.field('seconds', '7'), texts.links.field('autostart', '<b>')].join(', '),
        ),
      )
      .waitFor();
    assert.equal(await promptField(page).inputValue(), 'A kite & a fox');
    await page.getByText(texts.form.cropped('9:16')).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await assertAccessible(page, 'settings of a link');
    await wide(page);
    await page.getByRole('button', { name: texts.links.undo }).click();
    assert.equal(await promptField(page).inputValue(), 'Another prompt');
    assert.equal(await page.locator('.preview').count(), 0);

    await choose(page, texts.modes.references);
    await addImages(page, texts.roleLabels.references(3), portrait);
    await send(page, 'drop', '2.jpg', '3.jpg', '4.jpg');
    await page.getByText(texts.form.tooManyImages('4.jpg', 3)).waitFor();
    await until(async () => (await page.evaluate(ARE_WHOLE)) === 'true,true,true');
    assert.equal(await page.locator('.preview').count(), 3);
    await assertAccessible(page, 'a refused reference image');
    assertClean();
    await close();
  });
});
