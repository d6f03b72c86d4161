import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { signInTexts } from '../../../console/texts/sign-in-texts.ts';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { refusal } from './playground.ts';
import { consoleOrigins, newAccount, signInLink } from './signed-in.ts';

const service = await openSharedService();
const origins = consoleOrigins(service);

describe('the sign-in page', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('is shown for any URL without a session, leads back to it with one click, removes the token from the URL, and accepts a link once', async () => {
    const { page, assertClean, takeProblems } = await openPage(origins);
    await page.goto(`${service.baseUrl}/console/library?status=failed`);
    await page.getByText(signInTexts.noLink).waitFor();
    await page.getByText('If it was started with --data, add the same --data.').waitFor();
    assert.match(takeProblems().join('\n'), refusal(401));
    await assertAccessible(page, 'without a link');

    // The link opens in another tab.
    const account = newAccount();
    const link = await signInLink(service, account);
    const tab = await page.context().newPage();
    await tab.goto(link);
    const button = tab.getByRole('button', { name: signInTexts.button(account) });
    await button.waitFor();
    assert.equal(tab.url(), `${service.baseUrl}/console/sign-in`);
    await assertAccessible(tab, 'with a link');
    await button.click();
    await tab.getByText(texts.library.noMatchTitle).waitFor();
    assert.equal(tab.url(), `${service.baseUrl}/console/library?status=failed`);
    assert.equal(await tab.evaluate('document.cookie'), '');
    assertClean();

    await tab.goto(link);
    await button.click();
    await tab.getByText(signInTexts.expired).waitFor();
    await tab.getByText(signInTexts.command).waitFor();
    assert.match(takeProblems().join('\n'), refusal(400));
  });
});
