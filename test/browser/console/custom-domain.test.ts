import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { signInTexts } from '../../../console/texts/sign-in-texts.ts';
import { texts } from '../../../console/texts/texts.ts';
import { CUSTOM_DOMAIN } from '../../support/assembly.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { playAndSeek, sharedVideo } from './playground.ts';
import { newAccount, signInLink } from './signed-in.ts';

const service = await openSharedService();

describe('the console at a custom domain', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('works without a prefix, from the root to a video that plays', async () => {
    const origin = `http://${CUSTOM_DOMAIN}:${new URL(service.baseUrl).port}`;
    const { page, assertClean } = await openPage([origin, new URL(service.operator.endpoint).origin]);
    const account = newAccount();
    const bytes = await sharedVideo(service);
    await putVideo(service, account, { prompt: 'A kite', createdAt: Date.now(), bytes });
    await page.goto(await signInLink({ ...service, baseUrl: origin }, account));
    await page.getByRole('button', { name: signInTexts.title }).click();
    await page.getByRole('heading', { name: texts.video.title }).waitFor();
    assert.equal(page.url(), `${origin}/console/playground/video`);
    await page.goto(`${origin}/`);
    await page.locator('.strip-item').click();
    assert.deepEqual(await playAndSeek(page), [1280, 720, 4, 3]);
    await page.goto(`${origin}/console/docs`);
    await page.getByText(`export BASE_URL=${origin}`).first().waitFor();
    assertClean();
  });
});
