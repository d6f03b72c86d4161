import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call, HELD_BACK } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';
import { assertOnlyStatuses, generate, generateButton, promptField, workingStage } from './playground.ts';
import { type ConsolePage, openConsole } from './signed-in.ts';

const service = await openSharedService();
const CREATE = `${new URL(service.baseUrl).pathname}/v1/videos`;

const refusalBody = (message: string): string =>
  JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'x' } });

describe('the playground during failures', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // The tests continue each other on one page.
  let shared: ConsolePage;
  before(async () => {
    shared = await openConsole(openPage, service);
  });

  test('continues when the network is back', async () => {
    const { page, account, takeProblems } = shared;
    const created = page.waitForResponse((response) => response.request().method() === 'POST');
    await generate(page, HELD_BACK);
    const { id } = await (await created).json();
    await workingStage(page).waitFor();
    await page.context().setOffline(true);
    await page.getByText(texts.states.offline).waitFor();
    // The service refuses while its worker tries to submit the task.
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    await until(async () => (await call(access, 'POST', `/v1/videos/${id}/cancel`)).status === 200);
    assert.equal(await workingStage(page).count(), 1);
    await page.context().setOffline(false);
    await page.getByText(texts.task.advice.cancelled).waitFor();
    assert.equal(await page.getByText(texts.states.offline).count(), 0);
    for (const problem of takeProblems()) assert.match(problem, /ERR_INTERNET_DISCONNECTED/);
  });

  test('reports that the service is unreachable, continues when it is back, and explains why a video failed', async () => {
    const { page, takeProblems } = shared;
    await page.route('**/v1/videos/task_*', (route) => route.abort('connectionrefused'));
    await generate(page, 'A kite [sample: filtered]');
    await page.getByText(texts.errors.noConnection).waitFor();
    await page.unroute('**/v1/videos/task_*');
    await page.getByText(texts.task.advice.content_blocked).waitFor();
    assert.equal(await page.getByText(texts.errors.noConnection).count(), 0);
    for (const problem of takeProblems()) assert.match(problem, /ERR_CONNECTION_REFUSED/);
    // Says that it is not charged, and why it failed, also on its own page, which brings it back.
    await page.getByText(texts.task.notCharged).waitFor();
    await page.getByRole('link', { name: texts.video.openTask }).click();
    await page.getByText('content_blocked').waitFor();
    await page.getByRole('button', { name: texts.actions.useAgain }).click();
    assert.equal(await promptField(page).inputValue(), 'A kite [sample: filtered]');
    shared.assertClean();
  });

  test('repeats a create request after 429, 500 and 503 with the same idempotency key', async () => {
    const { page, takeProblems } = shared;
    const refusals = [429, 500, 503];
    const keys: (string | undefined)[] = [];
    await page.route(`**${CREATE}`, async (route) => {
      const status = refusals[keys.length];
      keys.push(route.request().headers()['idempotency-key']);
      if (status === undefined) return route.continue();
      const headers = { 'retry-after': '1', 'content-type': 'application/json' };
      return route.fulfill({ status, headers, body: refusalBody('Try later.') });
    });
    await generate(page, 'A kite [sample: filtered]');
    await workingStage(page).waitFor();
    assert.equal(keys.length, 4);
    assert.equal(new Set(keys).size, 1);
    assert.ok(keys[0] !== undefined);
    await page.unroute(`**${CREATE}`);
    assertOnlyStatuses(takeProblems(), refusals);
  });

  test('shows why the service rejects a request, and keeps the form', async () => {
    const { page, takeProblems } = shared;
    await page.route(`**${CREATE}`, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'x-should-retry': 'false', 'x-request-id': 'req-1', 'content-type': 'application/json' },
        body: refusalBody('The <b>budget</b> of the month is used up.'),
      }),
    );
    await generate(page, 'A kite');
    const problem = page.getByRole('alert');
    await problem.getByText('The <b>budget</b> of the month is used up.').waitFor();
    await problem.getByText('req-1').waitFor();
    assert.equal(await promptField(page).inputValue(), 'A kite');
    await page.unroute(`**${CREATE}`);
    await promptField(page).fill(HELD_BACK);
    await generateButton(page).click();
    await workingStage(page).waitFor();
    assert.equal(await problem.count(), 0);
    assertOnlyStatuses(takeProblems(), [429]);
  });
});
