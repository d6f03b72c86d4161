import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { JPEG } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';
import { assertAccessible } from './accessibility.ts';
import {
  addLargeImages,
  assertOnlyStatuses,
  choose,
  chooseLargeFiles,
  fileField,
  generateButton,
  promptField,
  workingStage,
} from './playground.ts';
import { type ConsolePage, followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();

const large = (name: string, bytes: number) => ({ name, mimeType: 'image/jpeg', buffer: JPEG, bytes });
/** A file name with special characters, longer than the service accepts. */
const NAME = `${'🗺'.repeat(300)}\t../..\u202e"><img src=x onerror=alert(1)>.jpg`;

/** The requests of the page, such as `POST /v1/files`; uploads are recorded without their path. */
const watchRequests = (page: Page): string[] => {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const { pathname: base } = new URL(service.baseUrl);
    if (request.method() === 'PUT') sent.push('PUT');
    if (request.method() === 'POST') sent.push(`POST ${pathname.slice(base.length)}`);
  });
  return sent;
};

describe('images too large for a request', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // The tests continue each other on one page.
  let shared: ConsolePage;
  let sent: string[] = [];
  before(async () => {
    shared = await openConsole(openPage, service);
    sent = watchRequests(shared.page);
    await promptField(shared.page).fill('A kite [sample: filtered]');
  });

  /** Chooses a mode, without the images of the test before. */
  const begin = async (mode: keyof typeof texts.modes): Promise<void> => {
    const { page } = shared;
    await choose(page, texts.modes[mode]);
    const remove = page.locator('form .preview-remove');
    for (let left = await remove.count(); left > 0; left -= 1) await remove.first().click();
    sent.splice(0);
  };

  test('are uploaded as files for a video, each only once', async () => {
    const { page, assertClean } = shared;
    await begin('first_and_last_frame');
    await addLargeImages(page, texts.roleLabels.first(), large(NAME, 4_400_000));
    await addLargeImages(page, texts.roleLabels.last(), large('last.jpg', 100_000));
    for (const posts of [
      ['POST /v1/files', 'POST /v1/files', 'POST /v1/videos', 'PUT', 'PUT'],
      ['POST /v1/videos'],
    ]) {
      await generateButton(page).click();
      await workingStage(page).waitFor();
      await page.getByText(texts.task.advice.content_blocked).waitFor();
      assert.deepEqual(sent.splice(0).toSorted(), posts);
    }
    assertClean();
  });

  test('are counted together before anything is uploaded; the error is focused in view', async () => {
    const { page, assertClean } = shared;
    await begin('first_and_last_frame');
    const viewport = { width: 640, height: 360 };
    await page.setViewportSize(viewport);
    await addLargeImages(page, texts.roleLabels.first(), large('first.jpg', 8_000_000));
    await addLargeImages(page, texts.roleLabels.last(), large('last.jpg', 7_000_000));
    await promptField(page).focus();
    const place = await generateButton(page).boundingBox();
    assert.ok(
      place !== null && place.y > viewport.height,
      'at 200 % zoom the button does not cover the form',
    );
    await generateButton(page).click();
    const message = texts.form.togetherTooLarge('15 MB', '14.7 MB');
    const problem = page.getByRole('alert').filter({ hasText: message });
    await problem.and(page.locator(':focus')).waitFor();
    const box = await problem.boundingBox();
    const button = await generateButton(page).boundingBox();
    assert.ok(box !== null && button !== null && box.y >= 0 && box.y + box.height <= Math.min(button.y, 360));
    assert.deepEqual(sent, []);
    await page.setViewportSize({ width: 1280, height: 720 });
    assertClean();
  });

  test('are uploaded as reference images, with the progress of the upload', async () => {
    const { page, assertClean } = shared;
    await begin('references');
    const protocol = await page.context().newCDPSession(page);
    const images = ['one.jpg', 'two.jpg', 'three.jpg'].map((name) => large(name, 1_500_000));
    await addLargeImages(page, texts.roleLabels.references(3), ...images);
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_500_000 };
    await protocol.send('Network.emulateNetworkConditions', conditions);
    await generateButton(page).click();
    const percents = /^Uploading images… (?:[1-9]|[1-9]\d)%/;
    await generateButton(page).filter({ hasText: percents }).waitFor();
    await generateButton(page)
      .filter({ hasText: new RegExp(`^${texts.video.generate}`) })
      .waitFor();
    assert.equal(sent.filter((request) => request === 'PUT').length, 3);
    await protocol.detach();
    assertClean();
  });

  test('are uploaded again after a lost connection; errors of the service are shown', async () => {
    const { page, takeProblems } = shared;
    await begin('first_frame');
    await addLargeImages(page, texts.roleLabels.first(), large('first.jpg', 4_400_000));
    const store = `${new URL(service.operator.endpoint).origin}/**`;
    let puts = 0;
    await page.route(store, (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      puts += 1;
      return puts === 1 ? route.abort('connectionreset') : route.continue();
    });
    await page.route('**/v1/videos', (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'It is gone.', param: 'input_reference' } } }),
    );
    await generateButton(page).click();
    await page.getByRole('alert').getByText('It is gone.').waitFor();
    assert.equal(puts, 2);
    await page.unrouteAll();
    sent.splice(0);
    await generateButton(page).click();
    await until(() => sent.includes('POST /v1/videos'));
    assert.deepEqual(
      sent,
      ['POST /v1/files', 'PUT', 'POST /v1/videos'],
      'uploaded again, because the file may have been deleted',
    );
    const problems = takeProblems().filter((problem) => !problem.includes('ERR_CONNECTION_RESET'));
    assertOnlyStatuses(problems, [400]);
  });

  test('are shrunk on request if no request could contain them; other files are refused', async () => {
    const { page, assertClean } = shared;
    await begin('first_frame');
    await page.getByText('JPEG, PNG or WebP, up to 14.7 MB in total').waitFor();
    const field = fileField(page, texts.roleLabels.first());
    await field.setInputFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('Notes') });
    await page.getByText(texts.form.notAnImage('notes.txt')).waitFor();
    await chooseLargeFiles(field, large('photo.png', 16_150_000));
    await page.getByText('photo.png has 16.2 MB; at most 14.7 MB are accepted.').waitFor();
    await assertAccessible(page, 'an image that is too large');
    await generateButton(page).click();
    await page.getByText(texts.form.imageMissing(texts.roles.first)).waitFor();
    await page.getByRole('button', { name: texts.form.shrink('photo.png') }).click();
    await page.getByText('photo.png was shrunk from 16.2 MB to 0.1 MB.').waitFor();
    await page.getByAltText('photo.jpg', { exact: true }).waitFor();
    assert.deepEqual(sent, []);
    assertClean();
  });

  test('are uploaded for an image', async () => {
    const { page, assertClean } = shared;
    await page.setViewportSize({ width: 1280, height: 720 });
    await followLink(page, service, '/playground/images');
    await addLargeImages(page, texts.form.inputs, large('input.jpg', 4_400_000));
    await promptField(page).fill('A kite');
    await choose(page, '512');
    await generateButton(page).click();
    await page.getByRole('img', { name: 'A kite' }).waitFor();
    assert.deepEqual(
      sent.map((request) => request.replace(/models\/.*/, '…')),
      ['POST /v1/files', 'PUT', 'POST /v1beta/…'],
    );
    assertClean();
  });
});
