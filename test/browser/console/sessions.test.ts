import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { signInTexts } from '../../../console/texts/sign-in-texts.ts';
import { texts } from '../../../console/texts/texts.ts';
import { endSession } from '../../../lib/operator/administration.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSharedService } from '../../support/open-service.ts';
import { sessionStore, signIn } from '../../support/sessions.ts';
import { assertOnlyStatuses, generate, generateButton, promptField } from './playground.ts';
import { assertStill, consoleOrigins, openConsole, signInLink } from './signed-in.ts';

const service = await openSharedService();
const playground = `${service.baseUrl}/console/playground/video`;

/**
 * The page asks for recent videos every few seconds, which may notice the end of its session before the click does. One
 * click for both: a click that is given up keeps waiting, and later lands in another test that uses the page.
 */
const generateOrNotice = (page: Page): Promise<void> =>
  generateButton(page).or(page.getByText(signInTexts.noLink)).first().click();

describe('a session', { skip: skipBrowserTests, concurrency: 2 }, () => {
  const openPage = useBrowser();

  test('that is ended elsewhere leads to sign-in and back without losing the form', async () => {
    const { page, account, sessionId, takeProblems, close } = await openConsole(openPage, service);
    await promptField(page).fill('A kite, typed with care [sample: filtered]');
    await endSession(sessionStore(service), account, sessionId);
    await generateOrNotice(page);
    await page.getByText(signInTexts.ended).waitFor();
    await page.getByText(signInTexts.noLink).waitFor();
    assertOnlyStatuses(takeProblems(), [401]);

    const tab = await page.context().newPage();
    await tab.goto(await signInLink(service, account));
    await tab.getByRole('button', { name: signInTexts.title }).click();
    await promptField(tab).waitFor();
    assert.equal(tab.url(), playground);
    assert.equal(await promptField(tab).inputValue(), 'A kite, typed with care [sample: filtered]');
    await generateButton(tab).click();
    await tab.getByText(texts.task.advice.content_blocked).waitFor();
    // The first tab may learn a second time that its session has ended.
    assertOnlyStatuses(takeProblems(), [401]);
    await close();
  });

  test('is shared by two tabs, and ends in both', async () => {
    const { page, assertClean, takeProblems, close } = await openConsole(openPage, service);
    const tab = await page.context().newPage();
    await tab.goto(playground);
    await promptField(tab).fill('A fox, typed in another tab');
    await promptField(page).fill('A kite');
    await Promise.all([page.reload(), tab.reload()]);
    assert.equal(await promptField(page).inputValue(), 'A kite');
    assert.equal(await promptField(tab).inputValue(), 'A fox, typed in another tab');
    await generate(page, 'A kite [sample: filtered]');
    await tab.goto(`${service.baseUrl}/console/settings`);
    await page.getByText(texts.task.advice.content_blocked).waitFor();
    await tab.getByText(texts.settings.thisSession).waitFor();
    await tab.getByRole('button', { name: texts.storage.change }).waitFor();
    await assertStill(tab);
    assertClean();
    // Before the end, which the page may notice by itself: notices of the session are not shown on the page that follows it.
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.getByRole('button', { name: texts.form.copyLink }).click();
    await page.locator('.notice', { hasText: texts.errors.notCopied }).waitFor();
    await tab.getByRole('button', { name: texts.actions.signOut }).first().click();
    await tab.getByText(signInTexts.noLink).waitFor();
    assert.equal(await tab.getByText(signInTexts.ended).count(), 0);
    await generateOrNotice(page);
    await page.getByText(signInTexts.noLink).waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
    assertOnlyStatuses(takeProblems(), [401]);
    await close();
  });

  test('creates a link for a colleague, whose session can be ended', async () => {
    const { page, account, assertClean, close } = await openConsole(openPage, service, { path: '/settings' });
    await page.getByRole('button', { name: texts.share.create }).click();
    const link = page.getByLabel(texts.settings.link).locator('code');
    await signIn(service, account);
    const other = await openPage(consoleOrigins(service));
    await other.page.goto((await link.textContent()) ?? '');
    await other.page.getByRole('button', { name: signInTexts.button(account) }).click();
    await promptField(other.page).waitFor();
    other.assertClean();
    await page.reload();
    await page
      .getByRole('button', { name: `${texts.settings.end} ${texts.settings.otherSession}` })
      .first()
      .click();
    await page.getByRole('button', { name: texts.settings.endAll }).click();
    await page.getByText(signInTexts.noLink).waitFor();
    assertClean();
    await other.page.reload();
    await other.page.getByText(signInTexts.noLink).waitFor();
    await Promise.all([close(), other.close()]);
  });
});
