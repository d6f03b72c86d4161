import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openOwnService } from '../../support/open-service.ts';
import { generate, playAndSeek } from './playground.ts';
import { newAccount, signInLink } from './signed-in.ts';

/** A host name of this machine stands for the domain, so that the session cookie works without https. */
const withDomain = (template: string): string => {
  const stack = JSON.parse(template);
  stack.Resources.Domain = { Type: 'AWS::ApiGateway::DomainName', Properties: { DomainName: 'localhost' } };
  return JSON.stringify(stack);
};

describe('the console at a custom domain', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('works without a prefix, from the root to a video that plays', async () => {
    const service = await openOwnService({ changeTemplate: withDomain });
    const origin = `http://localhost:${new URL(service.baseUrl).port}`;
    const { page, assertClean, close } = await openPage([origin, new URL(service.operator.endpoint).origin]);
    await page.goto(await signInLink({ ...service, baseUrl: origin }, newAccount()));
    await page.getByRole('button', { name: texts.signIn.title }).click();
    await page.getByRole('heading', { name: texts.video.title }).waitFor();
    assert.equal(page.url(), `${origin}/console/playground/video`);
    await page.goto(`${origin}/`);
    await generate(page, 'A kite');
    assert.deepEqual(await playAndSeek(page), [1280, 720, 4, 3]);
    await page.goto(`${origin}/console/docs`);
    await page.getByText(`export BASE_URL=${origin}`).first().waitFor();
    assertClean();
    await close();
  });
});
