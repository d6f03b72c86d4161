import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { skipBrowserTests, useBrowser } from '../support/browser.ts';
import { servePage } from '../support/page-server.ts';

const ICON = '<link rel="icon" href="data:,">';

const BROKEN: readonly [what: string, html: string, problem: RegExp][] = [
  ['an error on the console', '<script>console.error("out of paint")</script>', /console: out of paint/],
  ['an error that nobody catches', '<script>throw new Error("no brush")</script>', /page: no brush/],
  ['a violation of its policy', '<p style="color: red">Hello</p>', /console: .*Content Security Policy/],
  [
    'a request to a foreign host',
    '<img src="http://localhost:1/a.png?key=secret">',
    /request to http:\/\/localhost:1$/,
  ],
];

describe('a watched page', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  for (const [what, html, problem] of BROKEN)
    test(`reports ${what}`, async () => {
      const site = await servePage(ICON + html, { 'content-security-policy': "style-src 'none'" });
      after(site.close);
      const watched = await openPage([site.origin]);
      await watched.page.goto(site.origin);
      assert.match(watched.takeProblems().join('\n'), new RegExp(problem.source, 'm'));
      await watched.close();
    });

  test('reports nothing about a page without problems', async () => {
    const site = await servePage(`${ICON}<p>Hello</p><script>console.log("fine")</script>`);
    after(site.close);
    const watched = await openPage([site.origin]);
    await watched.page.goto(site.origin);
    watched.assertClean();
    await watched.close();
  });
});
