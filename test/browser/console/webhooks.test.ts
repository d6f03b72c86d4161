import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses } from './playground.ts';
import { openConsole } from './signed-in.ts';

const service = await openSharedService();

const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });

/** Adds an endpoint and gives the secret that is shown. */
const addEndpoint = async (page: Page, name: string, url: string): Promise<string> => {
  await page.getByRole('button', { name: texts.webhooks.create }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.webhooks.name).fill(name);
  await dialog.getByLabel(texts.webhooks.url).fill(url);
  await dialogButton(page, texts.webhooks.create).click();
  const secret = (await dialog.locator('.key-value code').textContent()) ?? '';
  await dialogButton(page, texts.webhooks.secretDone).click();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return secret;
};

describe('the webhooks page', { skip: skipBrowserTests, concurrency: 2 }, () => {
  const openPage = useBrowser();

  test('says what is wrong with an endpoint before it is sent, and what the service refuses', async () => {
    const { page, takeProblems, close } = await openConsole(openPage, service, { path: '/webhooks' });
    await page.getByText(texts.webhooks.emptyText).waitFor();
    await page.getByText('client.webhooks.unwrap').waitFor();
    await assertAccessible(page, 'no endpoints');
    await page.getByRole('button', { name: texts.webhooks.create }).click();
    const dialog = page.getByRole('dialog');
    for (const type of await dialog.getByRole('checkbox').all()) await type.uncheck();
    await dialogButton(page, texts.webhooks.create).click();
    for (const problem of [texts.webhooks.nameMissing, texts.webhooks.urlWrong, texts.webhooks.eventsMissing])
      await dialog.getByText(problem).waitFor();
    await assertAccessible(page, 'the form with what is wrong');
    await dialog.getByLabel(texts.webhooks.name).fill('Inward');
    await dialog.getByLabel(texts.webhooks.url).fill('https://10.0.0.1/');
    await dialog.getByRole('checkbox').first().check();
    await dialogButton(page, texts.webhooks.create).click();
    await dialog.getByRole('alert').getByText('url').first().waitFor();
    assertOnlyStatuses(takeProblems(), [400]);
    await close();
  });

  test('adds an endpoint, shows its secrets once, changes it and deletes it', async () => {
    const { page, assertClean, close } = await openConsole(openPage, service, { path: '/webhooks' });
    const name = '<b>Ada</b> & العالم';
    const secret = await addEndpoint(page, name, 'https://example.com/webhooks');
    assert.match(secret, /^whsec_/);
    assert.equal((await page.content()).includes(secret), false);
    await page.getByText(texts.webhooks.noDeliveries).waitFor();
    await assertAccessible(page, 'an endpoint');

    await page.getByRole('button', { name: texts.webhooks.rotate }).click();
    await assertAccessible(page, 'the question before rotating');
    await dialogButton(page, texts.webhooks.rotate).click();
    await page.getByText(texts.webhooks.secretKept).waitFor();
    const next = (await page.getByRole('dialog').locator('.key-value code').textContent()) ?? '';
    assert.match(next, /^whsec_/);
    assert.notEqual(next, secret);
    await dialogButton(page, texts.webhooks.secretDone).click();
    await page.locator('dd', { hasText: next.slice(-4) }).waitFor();

    await page.getByRole('button', { name: texts.webhooks.edit }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(texts.webhooks.eventMeanings['video.completed']).uncheck();
    await dialog.getByLabel(texts.webhooks.url).fill('https://example.com/other');
    await dialogButton(page, texts.webhooks.save).click();
    await page.getByText('https://example.com/other').waitFor();
    assert.equal(await page.getByText('video.completed').count(), 0);

    await page.getByRole('button', { name: texts.webhooks.remove }).click();
    await page.getByText(texts.webhooks.removeText).waitFor();
    await dialogButton(page, texts.webhooks.remove).click();
    await page.getByText(texts.webhooks.emptyText).waitFor();
    assertClean();
    await close();
  });

  test('is two keys away, and says that an endpoint is not there', async () => {
    const { page, takeProblems, close } = await openConsole(openPage, service, { path: '/tasks' });
    await page.locator('h1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByText(texts.webhooks.emptyText).waitFor();
    await page.goto(`${service.baseUrl}/console/webhooks/we_none`);
    await page.getByText(texts.webhooks.notFoundText).waitFor();
    await assertAccessible(page, 'no such endpoint');
    assertOnlyStatuses(takeProblems(), [404]);
    await close();
  });
});
