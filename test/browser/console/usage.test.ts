import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { texts } from '../../../console/texts/texts.ts';
import { toUtcMonth } from '../../../functions/billing/domain/periods.ts';
import { stackOutput } from '../../../lib/operator/operated-stack.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { createVideo, MODEL, waitFor } from '../../support/http.ts';
import { bearer, GENERATIONS, generationBody, post } from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';
import { signIn } from '../../support/sessions.ts';
import { assertAccessible } from './accessibility.ts';
import { choose, generateButton } from './playground.ts';
import { assertStill, followLink, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const recordsSchema = z.object({ data: z.array(z.object({ amount: z.object({ decimal: z.string() }) })) });

/** Gives an account a budget of 20 dollars, of which some are spent. */
const spend = async (account: string, amount: string): Promise<void> => {
  const TableName = stackOutput(
    { clientConfig: service.operator, outputs: service.outputs },
    'AccountTableName',
  );
  const Item = {
    account: { S: account },
    monthlyBudget: { S: '20' },
    [`committed#${toUtcMonth(Date.now())}`]: { N: amount },
  };
  await new DynamoDBClient(service.operator).send(new PutItemCommand({ TableName, Item }));
};

describe('the usage page', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('shows the amounts of the charge records with all decimals', async () => {
    const account = newAccount();
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    await waitFor(access, await createVideo(access, 'A kite'));
    const session = await signIn(service, account);
    const { data } = recordsSchema.parse((await session.call('GET', '/v1/organization/charges')).body);
    assert.deepEqual(
      data.map(({ amount }) => Number(amount.decimal)),
      [1.6],
    );
    const { page, assertClean, close } = await openConsole(openPage, service, { account, path: '/usage' });
    await page.locator('.total', { hasText: '$1.60' }).first().waitFor();
    await page.getByText(texts.usage.noBudget).waitFor();
    await page.locator('tbody th a').first().waitFor();
    await assertStill(page);
    const month = new Date().toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const covers = page.getByText(texts.usage.inMonth(month));
    assert.equal(
      await covers.count(),
      6,
      'three totals, the chart, the statement and the records say what they cover',
    );
    await page.getByText(texts.usage.budget(month)).waitFor();
    await page.getByRole('slider', { name: texts.usage.charts.spend }).focus();
    const caption = page.locator('figcaption');
    await caption.getByText(/: \$1\.60$/).waitFor();
    await caption.getByText('video-3.1-generate-preview $1.60').waitFor();
    await assertAccessible(page, 'a selected day');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await caption.getByText(/ 2, \d{4}: /).waitFor();
    await choose(page, texts.usage.ranges['90'] ?? '');
    await page.getByText(texts.usage.inDays('90')).first().waitFor();
    assert.equal(await covers.count(), 0);

    // Another month, and any days.
    await choose(page, texts.usage.ranges.last ?? '');
    await page.getByText(texts.usage.emptyTitles.spend).waitFor();
    await page.getByLabel(texts.usage.month).selectOption({ index: 1 });
    await page.locator('.total', { hasText: '$1.60' }).first().waitFor();
    await page.getByLabel(texts.library.from, { exact: true }).fill('2026-01-01');
    await page
      .getByText(/^From Jan 1, 2026 to /)
      .first()
      .waitFor();
    await page.locator('.total', { hasText: '$1.60' }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: texts.usage.csv }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    assert.match(lines[0] ?? '', /,user_id,user_name,/);
    await download.delete();
    const statement = page.getByRole('region', { name: texts.usage.statement });
    assert.match((await statement.locator('.statement-sum').textContent()) ?? '', /^Total4 s0\$1\.60$/);
    await page.emulateMedia({ media: 'print' });
    for (const [part, isVisible] of [
      [statement.locator('tbody'), true],
      [page.getByRole('navigation').first(), false],
      [page.getByRole('button', { name: texts.usage.csv }), false],
    ] as const)
      assert.equal(await part.isVisible(), isVisible);
    await page.emulateMedia({ media: 'screen' });
    await page.locator('tbody th a').first().click();
    await page.locator('video.player').waitFor();
    assertClean();
    await close();
  });

  test('shows the remaining budget, which a banner announces at 80 %, which can be closed, and at 100 %, which stays', async () => {
    const account = newAccount();
    await spend(account, '17');
    const { page, assertClean, close } = await openConsole(openPage, service, { account, path: '/settings' });
    const near = page.getByText(texts.budget.near('$17.00', '$20.00'));
    await near.waitFor();
    await assertAccessible(page, 'the banner of a budget');
    await followLink(page, service, '/usage');
    await page.getByText(texts.usage.left('$3.00')).waitFor();
    await followLink(page, service, '/playground/video');
    await page.getByLabel(texts.form.model).selectOption(MODEL);
    assert.match(
      (await generateButton(page).textContent()) ?? '',
      /^Generate for \$3\.20: exceeds the \$3\.00 left/,
    );
    assert.equal(await generateButton(page).isDisabled(), true);
    await choose(page, texts.form.secondsValue(4));
    assert.equal(await generateButton(page).isDisabled(), false);
    await followLink(page, service, '/usage');
    await page.getByRole('button', { name: texts.actions.dismiss }).click();
    await near.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(texts.usage.left('$3.00')).waitFor();
    assert.equal(await near.count(), 0);
    await spend(account, '20');
    await page.reload();
    await page.getByText(texts.budget.usedUp('$20.00', '$20.00')).waitFor();
    assert.equal(await page.getByRole('button', { name: texts.actions.dismiss }).count(), 0);
    await page.getByRole('link', { name: texts.budget.usage }).click();
    await page.getByText(texts.usage.usedUp).waitFor();
    assertClean();
    await close();
  });

  test('starts with images if there are no prices and no videos, and keys then have no budget', async () => {
    const account = newAccount();
    const headers = bearer(await service.issueKey(account));
    assert.equal((await post(service, GENERATIONS, headers, generationBody('A kite'))).status, 200);
    const { body } = await (await signIn(service, account)).call('GET', '/v1/console/session');
    const prices = { currency: 'USD', video_second: {}, image: {} };
    const { page, assertClean, close } = await openConsole(openPage, service, {
      account,
      path: '/usage',
      prepare: (page) =>
        page.route('**/v1/console/session', (route) => route.fulfill({ json: { ...body, prices } })),
    });
    await page.getByRole('radio', { name: texts.usage.measures.images, checked: true }).waitFor();
    await page.getByRole('img', { name: texts.usage.charts.images }).waitFor();
    await page.getByRole('radio', { name: texts.usage.measures.seconds }).check({ force: true });
    await page.getByText(texts.usage.emptyTitles.seconds).waitFor();
    await page.locator('tbody th a').first().click();
    await page.locator('.prompt-text', { hasText: 'A kite' }).waitFor();
    await followLink(page, service, '/keys');
    await page.getByRole('button', { name: texts.keys.create }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(texts.form.name, { exact: true }).waitFor();
    assert.equal(await dialog.getByLabel(texts.keys.budget).count(), 0);
    assertClean();
    await close();
  });
});
