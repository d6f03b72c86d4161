import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skipBrowserTests, useBrowser, type WatchedPage } from '../support/browser.ts';
import { servePage } from '../support/page-server.ts';
import { assertAccessible, VIEWS } from './console/accessibility.ts';

const PAGE = `<!doctype html><html lang="en"><head><title>Kites</title><link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark">
<style>
  html, a { background: light-dark(white, black); color: light-dark(black, white) }
  .only-dark { color: light-dark(black, #333) }
  .only-narrow { display: none }
  @media (width < 400px) { .only-narrow { display: block } }
</style></head><body>
<nav class="side" aria-label="Pages"><a href="/">Home</a><span id="navigation"></span></nav>
<main><h1>Kites</h1><div id="content"></div></main>
</body></html>`;

const PROBLEMS: readonly [what: string, html: string, problem: RegExp][] = [
  ['a button without a name', '<button></button>', /button-name/],
  ['a weak contrast in the dark', '<p class="only-dark">Strings</p>', /320 px, dark[\s\S]*color-contrast/],
  ['a narrow page only', '<button class="only-narrow"></button>', /320 px[\s\S]*button-name/],
  ['a dialog', '<dialog><img src="data:,"></dialog>', /image-alt/],
  ['a page that is too wide', '<div style="width: 500px">Wide</div>', /"scrollsSideways":true/],
];

describe('the check of accessibility', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  let site: Awaited<ReturnType<typeof servePage>>;
  let watched: WatchedPage;
  before(async () => {
    site = await servePage(PAGE);
    watched = await openPage([site.origin]);
    await watched.page.goto(site.origin);
  });
  after(() => site.close());

  /** Replaces the content of an element, and opens its dialog. */
  const show = (id: string, html: string): Promise<unknown> =>
    watched.page.evaluate(`document.getElementById('${id}').innerHTML = ${JSON.stringify(html)};
      document.querySelector('dialog')?.showModal()`);

  for (const [what, html, problem] of PROBLEMS)
    test(`finds problems of ${what}`, async () => {
      await show('content', html);
      await assert.rejects(
        assertAccessible(watched.page, 'this page', 'page', VIEWS),
        ({ message, actual }: assert.AssertionError) => problem.test(`${message} ${JSON.stringify(actual)}`),
      );
    });

  test('finds problems of the navigation where it is asked to', async () => {
    await show('content', '');
    await show('navigation', '<button></button>');
    await assert.rejects(assertAccessible(watched.page, 'this page', 'page and navigation'));
    await show('navigation', '');
    await assertAccessible(watched.page, 'this page', 'page and navigation');
  });
});
