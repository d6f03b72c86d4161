import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { npmStart } from '../../support/npm-start.ts';
import { makeFirstVideo, printedLink } from './first-video.ts';

/** Not part of the repository; shows what the test saw. */
const SCREENSHOTS = resolve(import.meta.dirname, '..', '..', '..', '.local', 'screenshots');

describe('after npm start', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('the printed link, one click and a prompt lead to a video that plays', async () => {
    const { printed, close } = await npmStart();
    after(close);
    const link = printedLink(printed);
    assert.match(link, /^http:\/\/localhost:\d+\/prod\/console\/sign-in#mgl_/);
    const asked = new Set<string>();
    const { page, takeProblems } = await openPage([new URL(link).origin]);
    page.on('response', (response) => {
      // Only the redirect shows the port of the store.
      if (response.request().redirectedFrom() !== null)
        asked.add(`request to ${new URL(response.url()).origin}`);
    });
    const save = (name: string) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
    assert.equal(await makeFirstVideo(page, link, save), true);
    assert.deepEqual(
      takeProblems().filter((problem) => !asked.has(problem)),
      [],
    );
    await page.context().close();
  });
});
