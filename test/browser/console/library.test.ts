import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call } from '../../support/http.ts';
import { putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertOnlyStatuses } from './playground.ts';
import { newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const DAY_MILLISECONDS = 86_400_000;

/** An account with a failed task. */
const accountWithFailure = async (prompt: string) => {
  const account = newAccount();
  return { account, id: await putVideo(service, account, { prompt, createdAt: Date.now() }) };
};

describe('the library', { skip: skipBrowserTests, concurrency: 3 }, () => {
  const openPage = useBrowser();

  test('open by deep link, by the back button and after a reload', async () => {
    const { account, id } = await accountWithFailure('A kite');
    const path = `/library/${id}`;
    const { page, assertClean, close } = await openConsole(openPage, service, { account, path });
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
    await close();
  });

  test('disappear when they are deleted, here or elsewhere', async () => {
    const { account, id } = await accountWithFailure('First');
    const other = await putVideo(service, account, { prompt: 'Second', createdAt: Date.now() });
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    const { page, assertClean, takeProblems, close } = await openConsole(openPage, service, {
      account,
      path: '/library',
    });
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
