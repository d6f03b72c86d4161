import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call } from '../../support/http.ts';
import { putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertOnlyStatuses, playAndSeek, sharedVideo } from './playground.ts';
import { type ConsolePage, followLink, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const account = newAccount();
const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };

describe('the player', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  let id = '';
  // The tests continue each other on one page.
  let shared: ConsolePage;
  before(async () => {
    const bytes = await sharedVideo(service);
    id = await putVideo(service, account, { prompt: 'A kite', createdAt: Date.now(), bytes });
    shared = await openConsole(openPage, service, { account, path: `/library/${id}` });
  });

  /** A URL that the store rejects, like one with an expired signature. */
  const deadAddress = async (): Promise<string> => {
    const { headers } = await call(access, 'GET', `/v1/videos/${id}/content`);
    return `${headers.get('location')}0`;
  };

  test('continues at the same position after an error', async () => {
    const { page, assertClean } = shared;
    assert.deepEqual(await playAndSeek(page), [1280, 720, 4, 3]);
    const at = await page.evaluate(`new Promise((resolve) => {
      const player = document.querySelector('video.player');
      player.onloadeddata = () => resolve(player.currentTime);
      player.dispatchEvent(new Event('error'));
    })`);
    assert.equal(at, 3);
    assert.equal(await page.getByText(texts.video.playerBroken).count(), 0);
    assertClean();
  });

  /** Opens the task again; the first redirects lead to an expired URL. Counts the requests for the video. */
  const openWithDeadAddresses = async (times: number) => {
    const { page } = shared;
    const location = await deadAddress();
    let asked = 0;
    await followLink(page, service, '/nowhere');
    await page.getByText(texts.notFound.text).waitFor();
    await page.unrouteAll();
    await page.route('**/content', async (route) => {
      asked += 1;
      if (asked <= times) await route.fulfill({ status: 302, headers: { location } });
      else await route.continue();
    });
    await followLink(page, service, `/library/${id}`);
    return () => asked;
  };

  test('renews an expired signed URL', async () => {
    const asked = await openWithDeadAddresses(1);
    assert.deepEqual(await playAndSeek(shared.page), [1280, 720, 4, 3]);
    assert.equal(asked(), 2);
    assertOnlyStatuses(shared.takeProblems(), [403]);
  });

  test('reports that a video cannot be played if a new URL does not help', async () => {
    const asked = await openWithDeadAddresses(9);
    await shared.page.getByText(texts.video.playerBroken).waitFor();
    assert.equal(asked(), 2);
    assertOnlyStatuses(shared.takeProblems(), [403]);
  });
});
