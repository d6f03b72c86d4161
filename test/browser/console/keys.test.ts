import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { longOr } from '../../support/long-tests.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { openConsole } from './signed-in.ts';

const service = await openSharedService();
const REVOCATION_MILLISECONDS = 60_000;

const responseStatus = (request: Promise<unknown>): Promise<number | undefined> =>
  request.then(
    () => 200,
    (error: unknown) => (error instanceof OpenAI.APIError ? error.status : undefined),
  );

describe('a key created on the page', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('works with the openai client at once, is shown once, is recognized when pasted, and fails after it is revoked', async () => {
    const { page, assertClean } = await openConsole(openPage, service, { path: '/keys' });
    await page.getByRole('button', { name: texts.keys.create }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(texts.keys.budget).waitFor();
    await dialog.getByRole('button', { name: texts.keys.create }).click();
    await dialog.getByText(texts.form.nameMissing).waitFor();
    const name = '<b>Ada</b> & العالم 🗝';
    await dialog.getByLabel(texts.form.name, { exact: true }).fill(name);
    await dialog.getByRole('button', { name: texts.keys.create }).click();
    const apiKey = (await dialog.locator('.key-value code').textContent()) ?? '';
    assert.match(apiKey, /^mgk_/);
    const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 });
    assert.deepEqual((await client.videos.list()).data, []);

    await dialog.getByRole('button', { name: texts.actions.doneCopying }).click();
    await page.getByRole('row', { name }).waitFor();
    assert.equal((await page.content()).includes(apiKey), false);
    await page.getByLabel(texts.keys.key, { exact: true }).fill(` ${apiKey} `);
    await page.getByText(texts.keys.whoseKnown(name)).waitFor();

    await page.getByRole('row', { name }).getByText(texts.keys.notUsed).waitFor();
    await page.getByRole('row', { name }).getByRole('button', { name: texts.actions.edit }).click();
    await dialog.getByLabel(texts.form.name, { exact: true }).fill('Render farm');
    await dialog.getByLabel(texts.keys.expires).selectOption('30');
    await dialog.getByLabel(texts.keys.budget).fill('12.50');
    await assertAccessible(page, 'the terms of a key');
    await dialog.getByRole('button', { name: texts.actions.save }).click();
    const renamed = page.getByRole('row', { name: 'Render farm' });
    await renamed.getByText('$12.50').waitFor();
    assert.equal(await renamed.getByText(texts.states.never).count(), 0);
    // The narrowest window in which rows are not cards: a wider table would be cut off at its buttons.
    await page.setViewportSize({ width: 1152, height: 800 });
    assert.equal(
      await page.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-card'))`,
      ),
      0,
    );
    await renamed.getByRole('button', { name: texts.actions.edit }).click();
    await dialog.getByLabel(texts.form.name, { exact: true }).fill(name);
    await dialog.getByRole('button', { name: texts.actions.save }).click();

    await page.getByRole('row', { name }).getByRole('button', { name: texts.actions.revoke }).click();
    await dialog.getByText(texts.keys.revokeText).waitFor();
    await dialog.getByRole('button', { name: texts.actions.revoke }).click();
    await page.getByText(/^Revoked. Rejected everywhere in \d+ s$/).waitFor();
    await page.getByText(texts.keys.whoseRevoked(name)).waitFor();
    // A function that has not seen the key rejects it at once; others cache it for up to a minute.
    assert.equal(await responseStatus(client.models.list()), 401);
    if (longOr(false, true)) {
      await sleep(REVOCATION_MILLISECONDS);
      assert.equal(await responseStatus(client.videos.list()), 401);
    }
    assertClean();
  });
});
