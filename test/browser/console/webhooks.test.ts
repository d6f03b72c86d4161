import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { SENT_WHEN } from '../../../functions/webhooks/domain/webhooks.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { createVideo, waitFor } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses } from './playground.ts';
import { type ConsolePage, followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();

/** A server that receives events and responds with the given status. */
const startReceiver = async () => {
  const received: string[] = [];
  const told = { status: 200, body: 'thank you' };
  const { url, close } = await startServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(told.status).end(told.body);
  });
  after(close);
  return { url: `${url}/webhooks?from=console`, received, told };
};

const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });

/** Adds an endpoint and returns its secret. */
const addEndpoint = async (page: Page, name: string, url: string): Promise<string> => {
  await page.getByRole('button', { name: texts.webhooks.create }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.form.name).fill(name);
  await dialog.getByLabel(texts.webhooks.url).fill(url);
  await dialogButton(page, texts.webhooks.create).click();
  const secret = (await dialog.locator('.key-value code').textContent()) ?? '';
  await dialogButton(page, texts.actions.doneCopying).click();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return secret;
};

const failVideo = async (account: string): Promise<string> => {
  const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
  const id = await createVideo(access, 'A kite [sample: filtered]');
  await waitFor(access, id);
  return id;
};

describe('the webhooks page', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // The tests continue each other on one page.
  let shared: ConsolePage;
  before(async () => {
    shared = await openConsole(openPage, service, { path: '/library' });
  });

  test('opens with two keys, and reports a missing endpoint', async () => {
    const { page, takeProblems } = shared;
    await page.locator('h1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByText(texts.webhooks.emptyText).waitFor();
    await followLink(page, service, '/webhooks/we_none');
    await page.getByText(texts.task.notFoundText).waitFor();
    assertOnlyStatuses(takeProblems(), [404]);
  });

  test('shows problems of a new endpoint before sending, and errors of the service', async () => {
    const { page, takeProblems } = shared;
    await followLink(page, service, '/webhooks');
    await page.getByText(texts.webhooks.emptyText).waitFor();
    await page.getByText('client.webhooks.unwrap').waitFor();
    await assertAccessible(page, 'no endpoints');
    await page.getByRole('button', { name: texts.webhooks.create }).click();
    const dialog = page.getByRole('dialog');
    // `all()` does not wait.
    await dialog.getByRole('checkbox').first().waitFor();
    for (const type of await dialog.getByRole('checkbox').all()) await type.uncheck();
    await dialogButton(page, texts.webhooks.create).click();
    for (const problem of [texts.form.nameMissing, texts.webhooks.urlInvalid, texts.webhooks.eventsMissing])
      await dialog.getByText(problem).waitFor();
    await assertAccessible(page, 'the form with problems');
    await dialog.getByLabel(texts.form.name).fill('Inward');
    await dialog.getByLabel(texts.webhooks.url).fill('https://10.0.0.1/');
    await dialog.getByRole('checkbox').first().check();
    await dialogButton(page, texts.webhooks.create).click();
    await dialog.getByRole('alert').getByText('url').first().waitFor();
    await page.keyboard.press('Escape');
    assertOnlyStatuses(takeProblems(), [400]);
  });

  test('adds an endpoint, shows its secret once, changes it and deletes it', async () => {
    const { page, assertClean } = shared;
    await page.setViewportSize({ width: 1280, height: 800 });
    const name = '<b>Ada</b> & العالم';
    const secret = await addEndpoint(page, name, 'https://example.com/webhooks');
    assert.match(secret, /^whsec_/);
    assert.equal((await page.content()).includes(secret), false);
    await page.getByText(texts.webhooks.noDeliveries).waitFor();
    await assertAccessible(page, 'an endpoint');

    await page.getByRole('button', { name: texts.webhooks.rotate }).click();
    await dialogButton(page, texts.webhooks.rotate).click();
    await page.getByText(texts.webhooks.secretKept).waitFor();
    const next = (await page.getByRole('dialog').locator('.key-value code').textContent()) ?? '';
    assert.match(next, /^whsec_/);
    assert.notEqual(next, secret);
    await dialogButton(page, texts.actions.doneCopying).click();
    await page.locator('dd', { hasText: next.slice(-4) }).waitFor();

    await page.getByRole('button', { name: texts.actions.edit }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(SENT_WHEN['video.completed']).uncheck();
    await dialog.getByLabel(texts.webhooks.url).fill('https://example.com/other');
    await dialogButton(page, texts.actions.save).click();
    await page.getByText('https://example.com/other').waitFor();
    assert.equal(await page.getByText('video.completed').count(), 0);

    await page.getByRole('button', { name: texts.actions.delete }).click();
    await page.getByText(texts.webhooks.removeText).waitFor();
    await dialogButton(page, texts.actions.delete).click();
    await page.getByText(texts.webhooks.emptyText).waitFor();
    assertClean();
  });

  test('tests an endpoint, shows its response, and sends a delivery again', async () => {
    const { url, received, told } = await startReceiver();
    const { page, account, assertClean } = shared;
    await page.setViewportSize({ width: 1280, height: 800 });
    await addEndpoint(page, 'Ours', url);

    await page.getByRole('button', { name: texts.webhooks.test }).click();
    await dialogButton(page, texts.actions.send).click();
    await page.getByText(texts.webhooks.testResponse(200)).waitFor();
    assert.equal(JSON.parse(received.splice(0)[0] ?? '').type, 'video.completed');
    await page.keyboard.press('Escape');

    told.body = '<script>alert(1)</script>\u0000 ok';
    const taskId = await failVideo(account);
    const row = page.getByRole('row', { name: 'video.failed' });
    await row.getByText(texts.webhooks.deliveryStates.delivered).waitFor();
    await row.getByText(/^200 after/).click();
    await row.getByText('<script>alert(1)</script>').waitFor();
    assert.equal(
      await row.getByRole('link').getAttribute('href'),
      `${new URL(service.baseUrl).pathname}/console/library/${taskId}`,
    );
    await assertAccessible(page, 'an endpoint with deliveries');

    await row.getByRole('button', { name: texts.webhooks.resend }).click();
    await until(() => received.length > 1);
    await row.getByText(texts.webhooks.attempts(2)).waitFor();
    assertClean();
  });

  test('reports that an endpoint does not respond and why it is disabled, and enables it again', async () => {
    const { url, told } = await startReceiver();
    const { page, account, takeProblems } = shared;
    await page.getByRole('link', { name: texts.webhooks.back }).click();
    const closed = await startServer(() => {});
    await closed.close();
    await addEndpoint(page, 'Down', closed.url);
    await page.getByRole('button', { name: texts.webhooks.test }).click();
    await dialogButton(page, texts.actions.send).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await assertAccessible(page, 'a test that failed');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: texts.webhooks.back }).click();
    await addEndpoint(page, 'Gone', url);
    told.status = 500;
    await failVideo(account);
    const row = page.getByRole('row', { name: 'video.failed' });
    await row.getByText(texts.webhooks.retrying, { exact: true }).waitFor();
    await row.getByText(/^next attempt at /).waitFor();
    await row.getByRole('link', { name: 'A kite [sample: filtered]' }).waitFor();
    await page.getByRole('link', { name: texts.webhooks.back }).click();
    const listed = page.getByRole('row', { name: 'Gone' });
    await listed.getByText(texts.webhooks.states.failing, { exact: true }).waitFor();
    await listed.getByRole('link', { name: 'Gone' }).click();
    told.status = 410;
    await failVideo(account);
    await page.getByText(texts.webhooks.deliveryStates.failed, { exact: true }).waitFor();
    await page.getByText(texts.webhooks.disabledBecause.gone).waitFor();
    await assertAccessible(page, 'a disabled endpoint');
    await page.getByRole('button', { name: texts.webhooks.enable }).click();
    await page.getByText(texts.webhooks.states.enabled, { exact: true }).waitFor();
    assert.equal(await page.getByText(texts.webhooks.disabledBecause.gone).count(), 0);
    assertOnlyStatuses(takeProblems(), [400]);
  });
});
