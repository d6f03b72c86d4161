import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { signInTexts } from '../../../console/texts/sign-in-texts.ts';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { bearer, GENERATIONS, generationBody, post } from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses, choose, generateButton, promptField } from './playground.ts';
import { consoleOrigins, followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();
const GRACE = 'grace@example.com';
const consoleUrl = (path: string): string => `${service.baseUrl}/console${path}`;

/** Invites on the page of people, and returns the link, which is shown once. */
const invite = async (page: Page, email: string): Promise<string> => {
  await page.getByRole('button', { name: texts.people.invite, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.people.email).fill(email);
  await dialog.getByRole('button', { name: texts.people.createInvite }).click();
  const link = (await dialog.locator('.key-value code').textContent()) ?? '';
  await dialog.getByRole('button', { name: texts.actions.doneCopying }).click();
  assert.equal((await page.content()).includes(link), false);
  return link;
};

describe('an invited person', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('joins as a member, creates an own key, becomes a viewer, is removed, and cannot use a deleted invitation', async () => {
    const admin = await openConsole(openPage, service, { path: '/people' });
    await admin.page.getByText(texts.people.emptyTitle).waitFor();
    await assertAccessible(admin.page, 'an account without people');
    await admin.page.getByRole('button', { name: texts.people.invite, exact: true }).click();
    const form = admin.page.getByRole('dialog');
    await form.getByLabel(texts.people.email).fill('grace');
    await form.getByRole('button', { name: texts.people.createInvite }).click();
    await form.getByText(texts.people.emailInvalid).waitFor();
    await assertAccessible(admin.page, 'the form of an invitation');
    await admin.page.keyboard.press('Escape');
    const link = await invite(admin.page, GRACE);
    await admin.page.getByRole('button', { name: `${texts.actions.delete} ${GRACE}` }).waitFor();

    const grace = await openPage(consoleOrigins(service));
    await grace.page.goto(link);
    await grace.page.getByText(signInTexts.invitation(admin.account)).waitFor();
    await assertAccessible(grace.page, 'the page of an invitation');
    await grace.page.getByRole('button', { name: signInTexts.accept(admin.account) }).click();
    await promptField(grace.page).waitFor();
    await grace.page.setViewportSize({ width: 1280, height: 800 });
    await grace.page.getByText(GRACE).first().waitFor();

    await followLink(grace.page, service, '/people');
    await grace.page.getByRole('row', { name: GRACE }).getByText(texts.account.roles.member).waitFor();
    await grace.page.getByText(texts.people.readOnly).waitFor();
    assert.equal(await grace.page.getByRole('button', { name: texts.people.invite }).count(), 0);
    await followLink(grace.page, service, '/webhooks');
    await grace.page.getByText(texts.permissions.admin).waitFor();
    assert.equal(await grace.page.getByRole('button', { name: texts.webhooks.create }).count(), 0);
    await followLink(grace.page, service, '/audit');
    await grace.page.getByText(texts.audit.adminsText).waitFor();
    await followLink(grace.page, service, '/keys');
    await grace.page.getByRole('button', { name: texts.keys.create }).click();
    const dialog = grace.page.getByRole('dialog');
    await dialog.getByLabel(texts.form.name, { exact: true }).fill('laptop');
    await dialog.getByRole('button', { name: texts.keys.create }).click();
    const headers = bearer((await dialog.locator('.key-value code').textContent()) ?? '');
    assert.equal((await post(service, GENERATIONS, headers, generationBody('A fox'))).status, 200);
    await dialog.getByRole('button', { name: texts.actions.doneCopying }).click();
    await grace.page.getByRole('row', { name: 'laptop' }).getByText(GRACE).waitFor();
    grace.assertClean();

    await admin.page.reload();
    await admin.page.getByRole('row', { name: GRACE }).waitFor();
    await assertAccessible(admin.page, 'the people');
    await admin.page.getByRole('button', { name: `${texts.people.change} ${GRACE}` }).click();
    const change = admin.page.getByRole('dialog');
    await change.getByRole('radio', { name: texts.account.roles.viewer }).check({ force: true });
    await change.getByText(texts.people.keyChoices.transfer(1)).click();
    await assertAccessible(admin.page, 'the form of a role');
    await change.getByRole('button', { name: texts.actions.save }).click();
    await admin.page.getByText(texts.people.changed(GRACE, 'viewer')).waitFor();

    await grace.page.goto(consoleUrl('/playground/video'));
    await grace.page.getByText(texts.permissions.member).waitFor();
    assert.equal(await generateButton(grace.page).isDisabled(), true);
    await assertAccessible(grace.page, 'the playground of a viewer', 'page and navigation');
    await followLink(grace.page, service, '/keys');
    await grace.page
      .getByRole('row', { name: 'laptop' })
      .getByText(texts.scope.account, { exact: true })
      .waitFor();
    assert.equal(await grace.page.getByRole('button', { name: texts.keys.create }).count(), 0);
    grace.assertClean();

    await admin.page.getByRole('button', { name: `${texts.people.remove} ${GRACE}` }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: texts.people.remove }).click();
    await admin.page.getByText(texts.people.emptyTitle).waitFor();
    // A removed person can still be found in the audit log and the library, and has a name in the statement.
    const label = texts.people.removedName(GRACE);
    await followLink(admin.page, service, '/audit');
    await admin.page.getByLabel(texts.people.person).selectOption({ label });
    await admin.page.getByRole('row', { name: texts.audit.events['api_key.created'][1]('laptop') }).waitFor();
    await followLink(admin.page, service, '/library');
    await admin.page.getByLabel(texts.people.person).selectOption({ label });
    await admin.page.locator('.item', { hasText: label }).getByRole('link', { name: 'A fox' }).waitFor();
    await followLink(admin.page, service, '/usage');
    await choose(admin.page, texts.usage.groupings.user_id);
    await admin.page.getByRole('rowheader', { name: label }).waitFor();
    await followLink(admin.page, service, '/people');
    admin.assertClean();
    await grace.page.goto(consoleUrl('/people'));
    await grace.page.getByText(signInTexts.removed).waitFor();
    assertOnlyStatuses(grace.takeProblems(), [401, 403]);
    await grace.close();

    // An invitation that was deleted cannot be used.
    const deleted = await invite(admin.page, GRACE);
    await admin.page.getByRole('button', { name: `${texts.actions.delete} ${GRACE}` }).click();
    await admin.page.getByText(texts.people.none).waitFor();
    admin.assertClean();
    await admin.page.goto(deleted);
    await admin.page.getByRole('button', { name: signInTexts.accept(admin.account) }).click();
    await admin.page.getByText(signInTexts.invitationExpired).waitFor();
    assertOnlyStatuses(admin.takeProblems(), [400]);
  });
});
