import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Page } from 'playwright-core';
import { signInTexts } from '../../../console/texts/sign-in-texts.ts';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSignInService, PROVIDER_NAME } from '../../support/sign-in-service.ts';
import { assertAccessible } from './accessibility.ts';
import { assertOnlyStatuses, generateButton, promptField } from './playground.ts';
import { consoleOrigins, followLink } from './signed-in.ts';

const { provider, service, newPerson } = await openSignInService();

const consoleUrl = (path: string): string => `${service.baseUrl}/console${path}`;

const press = (page: Page): Promise<void> =>
  page.getByRole('link', { name: signInTexts.provider(PROVIDER_NAME) }).click();

/** Opens a page without a session, and signs in from there. */
const signIn = async (page: Page, path = '/playground/video'): Promise<void> => {
  await page.goto(consoleUrl(path));
  await press(page);
};

/** As if the session had last been confirmed an hour ago. */
const makeOverdue = async (page: Page): Promise<void> => {
  const id = String(
    await page.evaluate(
      `fetch('${new URL(service.baseUrl).pathname.replace(/\/$/, '')}/v1/console/session').then((answer) => answer.json()).then(({ id }) => id)`,
    ),
  );
  await new DynamoDBClient(service.operator).send(
    new UpdateItemCommand({
      TableName: service.sessionsTable,
      Key: { id: { S: id } },
      UpdateExpression: 'SET renewAt = :past, checkUntil = :past',
      ConditionExpression: 'attribute_exists(id)',
      ExpressionAttributeValues: { ':past': { N: String(Date.now() - 1000) } },
    }),
  );
};

describe('single sign-on', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  const origins = [...consoleOrigins(service), new URL(provider.issuer).origin];

  test('leads back to the page, and switches between the accounts of the person, who has drafts in each', async () => {
    const { name } = newPerson({ groups: ['staff', 'sales'] });
    const { page, takeProblems, close } = await openPage(origins);
    await page.goto(consoleUrl('/library?status=failed'));
    await page.getByRole('link', { name: signInTexts.provider(PROVIDER_NAME) }).waitFor();
    await assertAccessible(page, 'sign-in with a provider');
    await page.setViewportSize({ width: 1280, height: 800 });
    await press(page);
    await page.getByText(texts.library.noMatchTitle).waitFor();
    assert.equal(page.url(), consoleUrl('/library?status=failed'));
    await page.locator('.side').getByText(name).waitFor();
    assertOnlyStatuses(takeProblems(), [401]);

    const isStudio = (await page.locator('.account-button').innerText()).includes('studio');
    const switchTo = async (account: string): Promise<void> => {
      await page.locator('.account-button').click();
      await page.locator('#accounts').getByRole('button', { name: account }).click();
      await page.locator('.account-button', { hasText: account }).waitFor();
    };
    if (!isStudio) await switchTo('studio');
    await page.goto(consoleUrl('/playground/video'));
    await promptField(page).fill('A kite in the studio');
    await page.locator('.account-button').click();
    await assertAccessible(page, 'the menu of accounts', 'page and navigation');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Escape');
    await switchTo('shop');
    await page.getByText(texts.permissions.member).waitFor();
    assert.equal(await promptField(page).inputValue(), '');
    assert.equal(await generateButton(page).isDisabled(), true);
    await switchTo('studio');
    await promptField(page).waitFor();
    assert.equal(await promptField(page).inputValue(), 'A kite in the studio');
    assert.equal(await generateButton(page).isDisabled(), false);
    assertOnlyStatuses(takeProblems(), []);
    await close();
  });

  test('follows invitations by link and by address, changes of the role while signed in, and removal', async () => {
    newPerson({ groups: ['leads'] });
    const lead = await openPage(origins, { viewport: { width: 1280, height: 800 } });
    await signIn(lead.page, '/people');
    await lead.page.getByRole('button', { name: texts.people.invite, exact: true }).click();
    await lead.page.getByRole('button', { name: texts.people.createInvite }).click();
    const link = (await lead.page.locator('.key-value code').textContent()) ?? '';
    await lead.page.getByRole('button', { name: texts.actions.doneCopying }).click();
    const guest = newPerson();
    const invited = await openPage(origins, { viewport: { width: 1280, height: 800 } });
    await invited.page.goto(link);
    await invited.page.getByText(signInTexts.invitation('studio')).waitFor();
    await press(invited.page);
    await invited.page.locator('.side').getByText(guest.name).waitFor();
    assertOnlyStatuses(invited.takeProblems(), []);
    await invited.close();

    await lead.page.getByRole('button', { name: texts.people.invite, exact: true }).click();
    const { name, email } = newPerson();
    await lead.page.getByLabel(texts.people.email).fill(email);
    await lead.page.getByRole('button', { name: texts.people.createInvite }).click();
    await lead.page.getByRole('button', { name: texts.actions.doneCopying }).click();

    // The address is verified, so the person needs no link.
    const bob = await openPage(origins, { viewport: { width: 1280, height: 800 } });
    await signIn(bob.page);
    await promptField(bob.page).fill('A kite, typed with care');
    assert.equal(await generateButton(bob.page).isDisabled(), false);

    await lead.page.reload();
    await lead.page.getByRole('button', { name: `${texts.people.change} ${name}` }).click();
    const dialog = lead.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: texts.account.roles.viewer }).check({ force: true });
    await dialog.getByRole('button', { name: texts.actions.save }).click();
    await lead.page.getByText(texts.people.changed(name, 'viewer')).waitFor();
    await generateButton(bob.page).click();
    await bob.page.locator('#composer-role').waitFor();
    assert.equal(await generateButton(bob.page).isDisabled(), true);
    assert.equal(await promptField(bob.page).inputValue(), 'A kite, typed with care');
    assertOnlyStatuses(bob.takeProblems(), [401, 403]);

    await lead.page.getByRole('button', { name: `${texts.people.remove} ${name}` }).click();
    await lead.page.getByRole('dialog').getByRole('button', { name: texts.people.remove }).click();
    await lead.page.getByText(texts.people.removed(name)).waitFor();
    await bob.page.goto(consoleUrl('/people'));
    await bob.page.getByText(signInTexts.removed).waitFor();
    assert.equal(await bob.page.locator('.notice').count(), 0);
    await press(bob.page);
    // The page names the identity, and asks the provider for another one.
    await bob.page.getByText(`${signInTexts.refused(email)} ${signInTexts.errors.not_invited}`).waitFor();
    newPerson({ groups: ['staff'] });
    await bob.page.getByRole('link', { name: signInTexts.otherIdentity(PROVIDER_NAME) }).click();
    await bob.page.getByRole('heading', { name: texts.navigation.people }).waitFor();
    assertOnlyStatuses(bob.takeProblems(), [401, 403]);
    assertOnlyStatuses(lead.takeProblems(), [401]);
    await Promise.all([lead.close(), bob.close()]);
  });

  test('explains why a person cannot sign in', async () => {
    newPerson({ email: 'eve@evil.example' });
    const { page, takeProblems, close } = await openPage(origins);
    await signIn(page);
    await page.getByText(signInTexts.errors.domain_not_allowed).waitFor();
    await page.getByText('eve@evil.example').waitFor();
    const other = page.getByRole('link', { name: signInTexts.otherIdentity(PROVIDER_NAME) });
    assert.match(String(await other.getAttribute('href')), /[?&]choose_identity=true(?:&|$)/);
    assert.equal(page.url(), consoleUrl('/sign-in?error=domain_not_allowed'));
    for (const [error, reason] of Object.entries(signInTexts.errors)) {
      await followLink(page, service, `/sign-in?error=${error}`);
      await page.getByText(reason).waitFor();
    }
    assertOnlyStatuses(takeProblems(), [401]);
    await close();
  });

  test('keeps people signed in while the provider is down, and ends the session of a person who was removed there, and signs out of it', async () => {
    const { id } = newPerson({ groups: ['staff'] });
    const { page, takeProblems, close } = await openPage(origins);
    await signIn(page);
    await promptField(page).fill('A kite, typed with care');
    await makeOverdue(page);
    provider.setDown(true);
    try {
      await page.goto(consoleUrl('/webhooks'));
      await page.getByText(texts.webhooks.emptyTitle).waitFor();
    } finally {
      provider.setDown(false);
    }
    provider.removePerson(id);
    await makeOverdue(page);
    await page.goto(consoleUrl('/playground/video'));
    await page.getByText(signInTexts.ended).waitFor();
    assertOnlyStatuses(takeProblems(), [401]);
    provider.setPerson({ id, email: `${id}@example.com`, email_verified: true, groups: ['staff'] });
    await press(page);
    await promptField(page).waitFor();
    assert.equal(await promptField(page).inputValue(), 'A kite, typed with care');
    assertOnlyStatuses(takeProblems(), [401]);

    // Signing out also leads to the provider.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: texts.actions.signOut }).click();
    await page.waitForURL((url) => url.origin === new URL(provider.issuer).origin);
    await page.goto(consoleUrl('/keys'));
    await page.getByRole('link', { name: signInTexts.provider(PROVIDER_NAME) }).waitFor();
    assert.equal(await page.getByText(signInTexts.ended).count(), 0);
    await close();
  });
});
