import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses, sharedVideo } from './playground.ts';
import { assertStill, followLink, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const DAY_MILLISECONDS = 86_400_000;

/** Whether the buttons of each card are inside it. */
const ARE_INSIDE = `[...document.querySelectorAll('.collected')].every((card) =>
  [...card.querySelectorAll('button')].every(
    (button) => button.getBoundingClientRect().right <= card.getBoundingClientRect().right,
  ),
)`;

/** An account with a failed task. */
const accountWithFailure = async (prompt: string) => {
  const account = newAccount();
  return { account, id: await putVideo(service, account, { prompt, createdAt: Date.now() }) };
};

describe('the library', { skip: skipBrowserTests, concurrency: 3 }, () => {
  const openPage = useBrowser();
  const open = (account: string, path = '/library') => openConsole(openPage, service, { account, path });
  const openThreeImages = async () => {
    const account = newAccount();
    const now = Date.now();
    for (const [index, prompt] of ['Boat', 'Kite', 'Lamp'].entries())
      await putImage(service, account, { prompt, createdAt: now - index * 1000, bytes: JPEG });
    const opened = await open(account);
    const card = (text: string) => opened.page.locator('.item').filter({ hasText: text });
    return { ...opened, card };
  };

  test('open by deep link, by the back button, after a reload and offline', async () => {
    const { account, id } = await accountWithFailure('A kite');
    const path = `/library/${id}`;
    const { page, assertClean, takeProblems, close } = await open(account, path);
    await page.getByText(texts.task.advice.content_blocked).waitFor();
    await page.getByRole('link', { name: texts.library.back }).click();
    await page.getByLabel(texts.library.status, { exact: true }).selectOption('completed');
    await page.getByText(texts.library.noMatchTitle).waitFor();
    assert.match(page.url(), /\/console\/library\?status=completed$/);
    await page.reload();
    await page.getByText(texts.library.noMatchTitle).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'A kite' }).waitFor();
    await page.goBack();
    await page.getByText(texts.task.advice.content_blocked).waitFor();
    await page.goForward();
    await page.getByRole('link', { name: 'A kite' }).waitFor();
    await page.goto(`${service.baseUrl}/console/nowhere/at/all`);
    await page.getByText(texts.notFound.text).waitFor();
    assertClean();

    // Offline, loaded items stay, in the list and alone.
    await followLink(page, service, path);
    await page.getByText(texts.task.advice.content_blocked).waitFor();
    await page.getByRole('link', { name: texts.library.back }).click();
    await page.getByRole('link', { name: 'A kite' }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText(texts.errors.noConnection).waitFor();
    await page.getByRole('link', { name: 'A kite' }).click();
    await page.getByText(texts.task.advice.content_blocked).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'A kite' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText(texts.errors.noConnection).waitFor({ state: 'detached' });
    for (const problem of takeProblems()) assert.match(problem, /ERR_INTERNET_DISCONNECTED/);
    await close();
  });

  test('disappear when they are deleted, here or elsewhere', async () => {
    const { account, id } = await accountWithFailure('First');
    const other = await putVideo(service, account, { prompt: 'Second', createdAt: Date.now() });
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    const { page, assertClean, takeProblems, close } = await open(account);
    await page.getByRole('link', { name: 'First' }).click();
    await page.getByRole('button', { name: texts.actions.delete }).click();
    await page.getByRole('dialog').getByRole('button', { name: texts.actions.delete }).click();
    await page.getByText(texts.task.deleted).waitFor();
    await page.getByRole('link', { name: 'Second' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'First' }).count(), 0);
    assert.equal((await call(access, 'GET', `/v1/videos/${id}`)).status, 404);
    assertClean();

    await call(access, 'DELETE', `/v1/videos/${other}`);
    await page.getByRole('link', { name: 'Second' }).click();
    await page.getByText(texts.library.notFoundText).waitFor();
    await page.getByRole('link', { name: texts.library.back }).click();
    await page.getByText(texts.library.emptyTitle).waitFor();
    assertOnlyStatuses(takeProblems(), [404]);
    await close();
  });

  test('are kept, renamed, shown one after the other, and downloaded together', async () => {
    const { page, card, assertClean, close } = await openThreeImages();
    await card('Boat').getByText('expires in 7 days').waitFor();
    const keep = card('Boat').getByRole('button', { name: texts.library.keepItem('Boat') });
    await keep.click();
    await card('Boat').getByText(texts.library.kept, { exact: true }).waitFor();
    assert.equal(await keep.getAttribute('aria-pressed'), 'true');
    await page.getByLabel(texts.library.stored).selectOption('true');
    await card('Kite').waitFor({ state: 'detached' });
    await card('Boat').waitFor();
    assert.equal(await page.locator('.item').count(), 1);
    await page.goBack();

    await page.getByRole('link', { name: 'Boat' }).click();
    await page.getByText(texts.library.keptUntilReleased, { exact: true }).waitFor();
    await page.getByRole('button', { name: texts.library.rename }).click();
    await page.getByLabel(texts.form.name, { exact: true }).fill('Ship');
    await page.getByRole('button', { name: texts.actions.save }).click();
    await page.getByRole('heading', { name: 'Ship' }).waitFor();
    await page.getByRole('link', { name: texts.library.next }).click();
    await page.locator('.prompt-text').getByText('Kite').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('.prompt-text').getByText('Lamp').waitFor();
    assert.equal(await page.getByRole('link', { name: texts.library.next }).count(), 0);
    await page.keyboard.press('ArrowLeft');
    await page.locator('.prompt-text').getByText('Kite').waitFor();
    await page.getByRole('link', { name: texts.library.back }).click();

    for (const name of ['Ship', 'Kite']) await card(name).locator('.item-check').check();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: texts.actions.download }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^library-\d{4}-\d\d-\d\d\.zip$/);
    const zip = await readFile(await file.path());
    assert.equal(zip.readUInt32LE(0), 0x04034b50);
    for (const name of ['ship-1024x1024.jpg', 'kite-1024x1024.jpg']) assert.ok(zip.includes(name), name);
    assert.ok(zip.includes(JPEG));
    assertClean();
    await close();
  });

  test('are one card as variations of a request, which opens and is compared', async () => {
    const account = newAccount();
    const now = Date.now();
    const bytes = await sharedVideo(service);
    const put = (prompt: string, createdAt: number) =>
      putVideo(service, account, { prompt, createdAt, bytes });
    const ids = [await put('Two boats', now), await put('Two boats', now)];
    await put('A kite', now - 60_000);
    const { page, assertClean, close } = await open(account);
    const cards = page.locator('.item');
    const batch = page.getByRole('button', { name: 'Two boats', exact: true });
    await page.getByText(texts.batch.title('2'), { exact: true }).waitFor();
    assert.equal(await cards.count(), 2);
    const posters = page.locator('.item-batch .poster video');
    await posters.nth(1).waitFor();
    // A picture is shown whole.
    const fit = "getComputedStyle(document.querySelector('.item-batch .poster video')).objectFit";
    assert.equal(await page.evaluate(fit), 'contain');
    await assertStill(page);
    await batch.focus();
    await page.keyboard.press('Enter');
    assert.equal(await batch.getAttribute('aria-expanded'), 'true');
    await page.getByRole('link', { name: 'Two boats' }).nth(1).waitFor();
    assert.equal(await cards.count(), 4);
    await assertAccessible(page, 'the library with a batch');
    await page.locator('.item-batch .item-check').check();
    await page.getByText(texts.library.chosen('2'), { exact: true }).waitFor();
    await page.getByRole('button', { name: texts.recent.compare, exact: true }).click();
    const compared = page.getByRole('dialog').locator('video');
    await compared.nth(1).waitFor();
    const players = "[...document.querySelectorAll('dialog[open] video')]";
    const sources = String(await page.evaluate(`${players}.map(({ src }) => src).join()`));
    for (const id of ids) assert.ok(sources.includes(id), sources);
    await page.keyboard.press('Escape');
    await batch.click();
    await page.getByRole('link', { name: 'Two boats' }).first().waitFor({ state: 'detached' });
    assert.equal(await cards.count(), 2);
    assertClean();
    await close();
  });

  test('are put into a new collection, in order by dragging and without losing the focus, and downloaded', async () => {
    const { page, card, assertClean, close } = await openThreeImages();
    const dialog = page.getByRole('dialog');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const names = texts.collections;

    for (const name of ['Boat', 'Kite', 'Lamp']) await card(name).locator('.item-check').check();
    await button(names.add).click();
    await dialog.getByLabel(names.name).fill('Summer');
    await dialog.getByRole('button', { name: names.add }).click();
    await page.getByText(names.added('Summer')).waitFor();
    assert.equal(await page.locator('.item-check:checked').count(), 0);
    await page.getByRole('link', { name: names.title }).click();
    await card('Summer').getByText(names.items('3')).waitFor();
    await card('Summer').locator('.poster img').waitFor();
    await assertAccessible(page, 'the collections');

    await page.getByRole('link', { name: 'Summer' }).click();
    const order = async () => (await page.locator('.item-main').allTextContents()).join();
    await card('Lamp').locator('.poster img').waitFor();
    assert.equal(await order(), 'Boat,Kite,Lamp');
    await button(names.later('Boat')).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText(names.moved('Boat', '3', '3')).waitFor({ state: 'attached' });
    assert.equal(await order(), 'Kite,Lamp,Boat');
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), names.later('Boat'));
    await card('Boat').getByRole('link').dragTo(card('Kite').getByRole('link'));
    await page.getByText(names.moved('Boat', '1', '3')).waitFor({ state: 'attached' });
    assert.equal(await order(), 'Boat,Kite,Lamp');
    await button(names.remove('Lamp')).click();
    await page.getByText(names.items('2')).waitFor();
    await assertAccessible(page, 'a collection');
    assert.equal(await page.evaluate(ARE_INSIDE), true);

    const download = page.waitForEvent('download');
    await button(texts.library.zip).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^Summer-\d{4}-\d\d-\d\d\.zip$/);
    const zip = await readFile(await file.path());
    for (const entry of ['01-boat-1024x1024.jpg', '02-kite-1024x1024.jpg', 'items.txt'])
      assert.ok(zip.includes(entry), entry);
    assertClean();
    await close();
  });

  test("show the right age if the browser's clock is wrong by a day", async () => {
    const { account } = await accountWithFailure('A kite');
    const { page, assertClean, close } = await openConsole(openPage, service, {
      account,
      path: '/library',
      prepare: ({ clock }) => clock.setSystemTime(Date.now() - DAY_MILLISECONDS),
      fresh: {},
    });
    const age = page.locator('.item time');
    assert.match((await age.textContent()) ?? '', /^(?:now|\d+ (?:sec|min)\. ago)$/);
    await page.clock.setSystemTime(Date.now() + DAY_MILLISECONDS);
    await page.reload();
    assert.match((await age.textContent()) ?? '', /^(?:now|\d+ (?:sec|min)\. ago)$/);
    assertClean();
    await close();
  });
});
