import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { texts } from '../../../console/texts/texts.ts';
import { toItem } from '../../../functions/identity/adapters/audit-trail.ts';
import { auditEntry } from '../../../functions/identity/domain/audit.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();
const DAY_MILLISECONDS = 86_400_000;
const PER_BATCH = 25;

/** More entries than a page has, of the day before yesterday. */
const addOldEntries = async (account: string, count: number): Promise<void> => {
  const TableName = service.outputs.AuditTableName ?? '';
  const origin = { actor: { kind: 'operator', id: 'tester' }, ip: undefined, userAgent: undefined } as const;
  const at = Date.now() - 2 * DAY_MILLISECONDS;
  const entries = Array.from({ length: count }, (_, index) =>
    auditEntry({ ...origin, account, at: at + index }, 'share.deleted', `share_${index}`),
  );
  const client = new DynamoDBClient(service.operator);
  for (let start = 0; start < count; start += PER_BATCH) {
    const batch = entries.slice(start, start + PER_BATCH);
    const writes = batch.map((entry) => ({ PutRequest: { Item: toItem(entry) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: writes } }));
  }
};

describe('the audit log', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('says who did what, from where; filters; and shows older entries when the end of the list is near', async () => {
    const { page, account, assertClean } = await openConsole(openPage, service, { path: '/keys' });
    await page.getByRole('button', { name: texts.keys.create }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(texts.form.name, { exact: true }).fill('website');
    await dialog.getByRole('button', { name: texts.keys.create }).click();
    await dialog.getByRole('button', { name: texts.actions.doneCopying }).click();
    await addOldEntries(account, 60);

    await followLink(page, service, '/audit');
    const created = page.getByRole('row', { name: texts.audit.events['api_key.created'][1]('website') });
    await created.getByText(texts.account.link).waitFor();
    await created.getByText('Chrome').waitFor();
    await created.getByText(/^(?:::1|127\.0\.0\.1)/).waitFor();
    await assertAccessible(page, 'the audit log');
    await page.setViewportSize({ width: 1280, height: 800 });
    // The button itself goes when the entries come.
    await page.getByRole('row').last().scrollIntoViewIfNeeded();
    await page.getByText(texts.audit.events['share.deleted'][1]('share_0'), { exact: true }).waitFor();
    await page.getByText(texts.audit.events['share.deleted'][1]('share_59')).waitFor();

    await page.getByLabel(texts.audit.type).selectOption('api_key.created');
    await created.waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    assert.match(page.url(), /\/console\/audit\?type=api_key\.created$/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: texts.usage.csv }).click(),
    ]);
    const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.match(head, /^time,event,who,what,/);
    assert.deepEqual([lines.length, lines[0]?.includes('website')], [1, true]);
    await download.delete();
    await page.getByLabel(texts.audit.type).selectOption('user.deleted');
    await page.getByText(texts.audit.noMatch).waitFor();
    await page.getByRole('button', { name: texts.library.clear }).click();
    const today = new Date();
    const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    await page.getByLabel(texts.library.from).fill(day);
    await created.waitFor();
    assert.equal(await page.getByText('share_59').count(), 0);
    assertClean();
  });
});
