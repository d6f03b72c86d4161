import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { revokeApiKey } from '../../../lib/operator/administration.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call, MODEL } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';
import { assertAccessible } from './accessibility.ts';
import { sharedVideo } from './playground.ts';
import { consoleOrigins, newAccount, openConsole, signInLink } from './signed-in.ts';

const service = await openSharedService();
const MOST_STOPS = 80;

const HAS_PLAYED = `document.querySelector('video.player').currentTime > 0.2`;

const IS_PAUSED = `document.querySelector('video.player').paused`;

const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.innerText ?? '';
  return [element.tagName, element.type ?? '', label, element.innerText ?? '', element.getAttribute('aria-label') ?? ''].join(' ');
})()`;

/** Presses Tab, or Shift+Tab, until the element with this text or label has the focus. */
const tabTo = async (page: Page, wanted: RegExp, key = 'Tab'): Promise<void> => {
  const passed: unknown[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(FOCUSED);
    passed.push(focused);
    if (wanted.test(String(focused))) return;
  }
  assert.fail(`${key} does not reach ${wanted}: ${passed.join(', ')}`);
};

const focusedHeading = (page: Page, name: string): Promise<void> =>
  page.locator('h1:focus', { hasText: name }).waitFor();

describe('the keyboard alone', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('is enough to sign in, create and play a video, and create a key', async () => {
    const { page, assertClean, close } = await openPage(consoleOrigins(service), {
      reducedMotion: 'no-preference',
    });
    const { keyboard } = page;
    await page.goto(await signInLink(service, newAccount()));
    await page.getByRole('button').first().waitFor();
    await tabTo(page, /^BUTTON button\s+Sign in to/);
    await keyboard.press('Enter');
    await focusedHeading(page, texts.video.title);

    await tabTo(page, /^TEXTAREA textarea Prompt/);
    await keyboard.type('A kite');
    await tabTo(page, /^INPUT radio 8 s/);
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    await keyboard.press('Control+Enter');
    await page.locator('video.player').waitFor();
    await until(async () => (await page.evaluate(HAS_PLAYED)) === true);
    await tabTo(page, /^VIDEO .*A kite/);
    const isPaused = await page.evaluate(IS_PAUSED);
    await keyboard.press('Space');
    await until(async () => (await page.evaluate(IS_PAUSED)) !== isPaused);
    assert.equal(await page.evaluate(`Math.round(document.querySelector('video.player').duration)`), 4);

    await keyboard.press('g');
    await keyboard.press('k');
    await focusedHeading(page, texts.navigation.keys);
    await tabTo(page, /^BUTTON button\s+Create a key/);
    await keyboard.press('Enter');
    await tabTo(page, /^INPUT text Name/);
    await keyboard.type('keyboard');
    await keyboard.press('Enter');
    await page.locator('.key-value').waitFor();
    await tabTo(page, /^BUTTON button\s+I have copied it/);
    await keyboard.press('Enter');
    await page.getByRole('row', { name: 'keyboard' }).waitFor();
    await tabTo(page, /^BUTTON button\s+Revoke\s+keyboard/);
    await keyboard.press('Enter');
    await page.getByText(texts.keys.revokeText).waitFor();
    await keyboard.press('Escape');
    await page.getByText(texts.keys.revokeText).waitFor({ state: 'detached' });
    await page.locator('tbody button:focus').waitFor();
    assertClean();
    await close();
  });

  test('is enough to create a key for an agent, choose a set-up and test the connection', async () => {
    const options = { path: '/connect', reducedMotion: 'no-preference' } as const;
    const { page, takeProblems, assertClean, close } = await openConsole(openPage, service, options);
    const { keyboard } = page;
    await page.getByRole('heading', { name: texts.navigation.connect }).waitFor();
    const createAgentKey = async () => {
      await tabTo(page, /^BUTTON button\s+Create a key/);
      await keyboard.press('Enter');
      await tabTo(page, /^INPUT text Name/);
      const answered = page.waitForResponse((response) => response.url().endsWith('/api_keys'));
      await keyboard.press('Enter');
      const response = await answered;
      await tabTo(page, /^BUTTON button\s+I have copied it/);
      await keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return { terms: response.request().postDataJSON(), key: await response.json() };
    };
    const testIt = async () => {
      await tabTo(page, /^BUTTON button\s+Test the connection/);
      await keyboard.press('Enter');
    };

    const first = await createAgentKey();
    assert.deepEqual(first.terms, { name: 'Agent', monthly_budget: '20', expires_in_seconds: 2_592_000 });
    await testIt();
    await page.getByRole('status').getByText(texts.connect.works(12), { exact: true }).waitFor();
    await tabTo(page, /^BUTTON button\s+Claude Code/, 'Shift+Tab');
    await keyboard.press('ArrowRight');
    const panel = page.getByRole('tabpanel', { name: 'VS Code', exact: true });
    await panel.getByText(first.key.value).waitFor();
    await assertAccessible(page, 'the set-up of an agent');
    assertClean();

    const second = await createAgentKey();
    await panel.getByText(second.key.value).waitFor();
    assert.equal(await page.getByText(texts.connect.works(12), { exact: true }).count(), 0);
    await revokeApiKey({ clientConfig: service.operator, outputs: service.outputs }, second.key.id);
    await testIt();
    await page
      .getByRole('alert')
      .getByText(/revoked/)
      .waitFor();
    assert.match(takeProblems().join(), /401/);
    await close();
  });

  test('is enough to go to an endpoint and to the library, filter it, open an item, share it and return', async () => {
    const account = newAccount();
    const createdAt = Date.now();
    await putVideo(service, account, { prompt: 'A failed kite', createdAt });
    await putImage(service, account, { prompt: 'A fox', createdAt, bytes: JPEG });
    const { page, assertClean, close } = await openConsole(openPage, service, { account });
    const { keyboard } = page;
    await page.getByRole('heading', { name: texts.video.title }).waitFor();
    const choose = async (words: string, command: string): Promise<void> => {
      await keyboard.press('Control+k');
      await page.getByRole('combobox', { name: texts.palette.search }).waitFor();
      await keyboard.type(words);
      await page.locator('.command[aria-selected=true]', { hasText: command }).waitFor();
      await keyboard.press('Enter');
    };
    const goTo = async (name: string): Promise<void> => {
      await choose(name, name);
      await focusedHeading(page, name);
    };
    const endpoint = '/v1/videos/{task_id}/cancel';
    await choose('video cancel', endpoint);
    await page.locator('details[open] summary:focus', { hasText: endpoint }).waitFor();
    await goTo(texts.navigation.library);
    await goTo(texts.navigation.usage);
    // A page that was open before is rendered at once.
    await goTo(texts.navigation.library);
    await page.getByRole('link', { name: 'A failed kite' }).waitFor();

    await tabTo(page, /^INPUT radio Grid/);
    await keyboard.press('ArrowRight');
    await page.locator('.items-list').waitFor();
    await keyboard.press('ArrowLeft');
    await page.locator('.items-grid').waitFor();
    await tabTo(page, /^SELECT select-one Kind/);
    await keyboard.type(texts.library.kinds.image);
    await page.getByRole('link', { name: 'A failed kite' }).waitFor({ state: 'detached' });
    assert.match(page.url(), /\/library\?kind=image$/);

    await tabTo(page, /^A .*A fox/);
    await keyboard.press('Enter');
    await focusedHeading(page, texts.library.kinds.image);
    await page.getByRole('button', { name: texts.share.action }).waitFor();
    await tabTo(page, /^BUTTON button\s+Share/);
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: texts.share.titles.file_id });
    await dialog.getByText(texts.share.none).waitFor();
    await tabTo(page, /^BUTTON submit\s+Create a link/);
    await keyboard.press('Enter');
    const link = dialog.getByLabel(texts.share.link, { exact: true });
    await link.waitFor();
    assert.equal(await page.evaluate('document.activeElement.value'), await link.inputValue());
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.match(String(await page.evaluate(FOCUSED)), /^BUTTON button\s+Share/);

    await tabTo(page, /^A .*Back to the library/, 'Shift+Tab');
    await keyboard.press('Enter');
    // The focus returns to the item.
    await page.locator('a:focus', { hasText: 'A fox' }).waitFor();
    assert.match(page.url(), /\/library\?kind=image$/);
    await page.locator('.items-grid').getByRole('link', { name: 'A fox' }).waitFor();
    assertClean();
    await close();
  });

  test('is enough to use a video and an image of the library as frames and as references', async () => {
    const account = newAccount();
    const createdAt = Date.now();
    const bytes = await sharedVideo(service);
    const video = await putVideo(service, account, { prompt: 'A kite', createdAt, bytes });
    const image = await putImage(service, account, { prompt: 'A fox', createdAt, bytes: JPEG });
    const { page, assertClean, close } = await openConsole(openPage, service, { account });
    const { keyboard } = page;
    await page.getByRole('heading', { name: texts.video.title }).waitFor();
    const pick = async (place: string, item: string, alt: string): Promise<void> => {
      await page.getByRole('button', { name: texts.picker.openFor(place) }).waitFor();
      await tabTo(page, new RegExp(texts.picker.openFor(place)));
      await keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: item }).waitFor();
      await tabTo(page, new RegExp(`^BUTTON button\\s[^]*${item}`));
      await keyboard.press('Enter');
      await page.getByAltText(alt).waitFor();
    };
    await tabTo(page, /^INPUT radio Text/);
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await pick(texts.roleLabels.first(), 'A kite', `${video}-last-frame.jpeg`);
    await page.locator('button:focus', { hasText: texts.picker.open }).waitFor();
    await pick(texts.roleLabels.last(), 'A fox', `${image}.jpeg`);
    await tabTo(page, /^INPUT radio First and last/, 'Shift+Tab');
    await keyboard.press('ArrowRight');
    const references = texts.roleLabels.references(3);
    await pick(references, 'A kite', `${video}-last-frame.jpeg`);
    await pick(references, 'A fox', `${image}.jpeg`);
    assert.equal(await page.locator('.preview').count(), 2);
    assertClean();
    await close();
  });

  test('is enough to create a collection, put it in order, choose its cover, share, rename and delete it', async () => {
    const account = newAccount();
    const createdAt = Date.now();
    const ids: Record<string, string> = {};
    for (const [index, prompt] of ['Boat', 'Kite'].entries())
      ids[prompt] = await putImage(service, account, {
        prompt,
        createdAt: createdAt - index * 1000,
        bytes: JPEG,
      });
    const { page, assertClean, close } = await openConsole(openPage, service, { account, path: '/library' });
    const { keyboard } = page;
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    const stored = async () => Object((await call(access, 'GET', '/v1/collections')).body).data;
    const names = texts.collections;
    /** Presses the button with this label. */
    const press = async (label: string, key = 'Tab') => {
      await tabTo(page, new RegExp(`^BUTTON (button|submit)\\s[^]*${label}`), key);
      await keyboard.press('Enter');
    };
    await page.getByRole('link', { name: 'Kite' }).waitFor();
    await tabTo(page, /^A\s+Collections/);
    await keyboard.press('Enter');
    await focusedHeading(page, names.title);
    await page.getByText(names.emptyTitle).waitFor();
    await press(names.create);
    await tabTo(page, /^INPUT text Name/);
    await keyboard.type('Trip');
    await keyboard.press('Enter');
    await focusedHeading(page, 'Trip');
    await tabTo(page, /^A\s+Open the library/);
    await keyboard.press('Enter');
    await focusedHeading(page, texts.navigation.library);
    await page.getByRole('link', { name: 'Kite' }).waitFor();
    for (const name of ['Boat', 'Kite']) {
      await tabTo(page, new RegExp(`^INPUT checkbox [^]*${name}`));
      await keyboard.press('Space');
    }
    await page.getByText(texts.library.chosen('2'), { exact: true }).waitFor();
    await press(names.add, 'Shift+Tab');
    await page.getByRole('dialog').getByLabel(names.one).waitFor();
    await press(names.add);
    await page.getByText(names.added('Trip')).waitFor();
    await tabTo(page, /^A\s+Collections/, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('link', { name: 'Trip' }).waitFor();
    await tabTo(page, /^A\s+Trip/);
    await keyboard.press('Enter');
    await focusedHeading(page, 'Trip');
    await page.getByRole('link', { name: 'Kite' }).waitFor();

    await press(names.later('Boat'));
    await page.getByText(names.moved('Boat', '2', '2')).waitFor({ state: 'attached' });
    await press(names.cover('Boat'));
    await page.getByRole('button', { name: names.cover('Boat'), pressed: true }).waitFor();
    await press(texts.share.action, 'Shift+Tab');
    const dialog = page.getByRole('dialog', { name: texts.share.titles.collection_id });
    await dialog.getByText(texts.share.none).waitFor();
    await press('Create a link');
    await dialog.getByLabel(texts.share.link, { exact: true }).waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await press(texts.library.rename);
    await tabTo(page, /^INPUT text Name/);
    await keyboard.press('Control+a');
    await keyboard.type('Summer');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Summer' }).waitFor();
    const [{ name, item_ids, cover_id }] = await stored();
    assert.deepEqual([name, item_ids, cover_id], ['Summer', [ids.Kite, ids.Boat], ids.Boat]);

    await press(texts.actions.delete);
    await page.getByText(names.deleteText).waitFor();
    await press(texts.actions.delete);
    await page.getByText(names.emptyTitle).waitFor();
    assert.deepEqual(await stored(), []);
    assertClean();
    await close();
  });

  test('is enough for a storyboard, which survives a reload, continues from last frames, stops at a failure, plays as one and is exported', async () => {
    const path = '/playground/storyboard';
    const { page, account, assertClean, close } = await openConsole(openPage, service, { path });
    const { keyboard } = page;
    const shot = (number: number) => page.getByLabel(texts.storyboard.shot(number), { exact: true });
    const prompt = (number: number) => shot(number).getByLabel(texts.form.prompt, { exact: true });
    await prompt(1).waitFor();
    await tabTo(page, /^SELECT select-one Model/);
    await keyboard.type(MODEL);
    for (const text of ['A kite rises', 'The kite lands']) {
      await tabTo(page, /^TEXTAREA textarea Prompt/);
      await keyboard.type(text);
      await tabTo(page, /^INPUT radio 8 s/);
      await keyboard.press('ArrowLeft');
      await keyboard.press('ArrowLeft');
    }
    await tabTo(page, /^BUTTON button\s+Add a shot/);
    await keyboard.press('Enter');
    await prompt(3).waitFor();
    await tabTo(page, /^INPUT radio Previous shot/, 'Shift+Tab');
    await keyboard.press('ArrowLeft');
    await tabTo(page, /^TEXTAREA textarea Prompt/, 'Shift+Tab');
    await keyboard.type('[sample: error 400]');
    await page.reload();
    assert.equal(await prompt(2).inputValue(), 'The kite lands');
    await assertAccessible(page, 'a storyboard');
    await page.setViewportSize({ width: 1280, height: 800 });
    await tabTo(page, /^BUTTON button\s+Generate 3 shots for \$4\.80/);
    await keyboard.press('Enter');
    await page.locator('button:focus', { hasText: texts.storyboard.stop }).waitFor();

    await shot(3).getByRole('button', { name: texts.storyboard.skip }).waitFor();
    await assertAccessible(page, 'a storyboard with a failed shot');
    await page.setViewportSize({ width: 1280, height: 800 });
    await tabTo(page, /^BUTTON button\s+Skip and continue/, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.locator('.notice', { hasText: texts.storyboard.ready }).waitFor();
    assert.equal(await page.locator('.shots .badge-completed').count(), 2);
    const key = await service.issueKey(account);
    const { body } = await call({ ...service, apiKey: key }, 'GET', '/v1/videos?include[]=request');
    const modes = Object(body).data.map((video: unknown) => [
      Object(video).prompt,
      Object(video).request.mode,
    ]);
    assert.deepEqual(Object.fromEntries(modes)['The kite lands'], 'first_frame');

    await tabTo(page, /^BUTTON button\s+Play from the start/);
    await keyboard.press('Enter');
    const player = `document.querySelector('.split-aside video')`;
    await until(async () => (await page.evaluate(`${player}.readyState > 2`)) === true);
    await page.evaluate(`${player}.currentTime = 3.9`);
    await page.getByText(texts.storyboard.playing(2, 2)).waitFor();
    await page.evaluate(`${player}.pause()`);
    await tabTo(page, /^BUTTON button\s+Download as zip/);
    const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')]);
    assert.match(download.suggestedFilename(), /^storyboard-[\d-]+\.zip$/);
    const zip = (await readFile(await download.path())).toString('latin1');
    assert.match(zip, /01-\S+\.mp4\tA kite rises\n02-\S+\.mp4\tThe kite lands\n/);
    await download.delete();
    assertClean();
    await close();
  });
});
