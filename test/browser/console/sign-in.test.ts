import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { texts } from '../../../console/texts/texts.ts';
import { generateLink, toSessionId } from '../../../functions/identity/domain/session.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSharedService } from '../../support/open-service.ts';
import { refusal } from './playground.ts';
import { consoleOrigins, newAccount, openConsole, signInLink } from './signed-in.ts';

const service = await openSharedService();
const origins = consoleOrigins(service);
const unknownLink = (token: string): string => `${service.baseUrl}/console/sign-in#${token}`;

const expire = async (link: string): Promise<string> => {
  await new DynamoDBClient(service.operator).send(
    new UpdateItemCommand({
      TableName: service.sessionsTable,
      Key: { id: { S: toSessionId(link.split('#')[1] ?? '') ?? '' } },
      UpdateExpression: 'SET linkUntil = :past',
      ExpressionAttributeValues: { ':past': { N: String(Date.now()) } },
    }),
  );
  return link;
};

const REFUSED: readonly [what: string, link: () => Promise<string>][] = [
  ['expired', async () => expire(await signInLink(service, newAccount()))],
  ['unknown', async () => unknownLink(generateLink('acme', 0).token)],
  ['garbled', async () => unknownLink('mgl_<script>alert(1)</script>.%00')],
];

describe('the sign-in page', { skip: skipBrowserTests, concurrency: 2 }, () => {
  const openPage = useBrowser();

  test('signs in with one click, removes the token from the URL, and accepts a link once', async () => {
    const account = newAccount();
    const link = await signInLink(service, account);
    const { page, assertClean, takeProblems, close } = await openPage(origins);
    await page.goto(link);
    const button = page.getByRole('button', { name: texts.signIn.button(account) });
    await button.waitFor();
    assert.equal(page.url(), `${service.baseUrl}/console/sign-in`);
    await button.click();
    await page.getByRole('heading', { name: texts.video.title }).waitFor();
    assert.equal(page.url(), `${service.baseUrl}/console/playground/video`);
    assert.equal(await page.evaluate('document.cookie'), '');
    assertClean();

    await page.goto(link);
    await button.click();
    await page.getByText(texts.signIn.expired).waitFor();
    await page.getByText(texts.signIn.command).waitFor();
    assert.match(takeProblems().join('\n'), refusal(400));
    await close();
  });

  test('explains how to get a new link if the link is expired, unknown or garbled', async () => {
    const { page, takeProblems, close } = await openPage(origins);
    for (const [what, link] of REFUSED) {
      await page.goto(await link());
      await page.getByRole('button', { name: texts.signIn.title }).click();
      await page.getByText(texts.signIn.expired).waitFor();
      assert.match(takeProblems().join('\n'), refusal(400), what);
      await page.goto('about:blank');
    }
    await close();
  });

  test('is shown for any URL without a session, and leads back to it', async () => {
    const { page, assertClean, takeProblems, close } = await openPage(origins);
    await page.goto(`${service.baseUrl}/console/library?status=failed`);
    await page.getByText(texts.signIn.noLink).waitFor();
    await page.getByText('If it was started with --data, add the same --data.').waitFor();
    assert.match(takeProblems().join('\n'), refusal(401));
    // The link opens in another tab.
    const tab = await page.context().newPage();
    await tab.goto(await signInLink(service, newAccount()));
    await tab.getByRole('button', { name: texts.signIn.title }).click();
    await tab.getByText(texts.library.noMatchTitle).waitFor();
    assert.equal(tab.url(), `${service.baseUrl}/console/library?status=failed`);
    assertClean();
    await close();
  });

  test('is shown after sign-out, which ends the session', async () => {
    const { page, assertClean, takeProblems, close } = await openConsole(openPage, service);
    await page.getByRole('button', { name: texts.actions.signOut }).click();
    await page.getByText(texts.signIn.noLink).waitFor();
    assertClean();
    await page.goto(`${service.baseUrl}/console/keys`);
    await page.getByText(texts.signIn.noLink).waitFor();
    assert.match(takeProblems().join('\n'), refusal(401));
    await close();
  });
});
