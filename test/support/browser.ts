import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium, INSTALL_CHROMIUM } from './find-chromium.ts';
import { type Made, shared } from './shared.ts';

const executablePath = findChromium();

const PATIENCE_MILLISECONDS = 60_000;

/** For `describe` and `test`: why the tests in a browser do not run, if so. */
export const skipBrowserTests: string | false =
  executablePath === undefined ? `no Chromium: ${INSTALL_CHROMIUM}` : false;

/** Started by the first test file that opens a page; every page has a context of its own. */
export const makeBrowser = async (): Promise<Made<string>> => {
  if (executablePath === undefined) throw new Error(`no Chromium was found: ${INSTALL_CHROMIUM}`);
  // Otherwise each page gets a process for its empty start and another one for its first URL.
  const server = await chromium.launchServer({ executablePath, args: ['--renderer-process-limit=1'] });
  return { value: server.wsEndpoint(), close: () => server.close() };
};

const connect = async (): Promise<{ browser: Browser; close: () => Promise<void> }> => {
  const { value, close } = await shared('browser', makeBrowser);
  const browser = await chromium.connect(value);
  return { browser, close: () => browser.close().then(close) };
};

/** Opens pages in the browser that all test files share; they close after the tests of the file or `describe` that calls this. */
export const useBrowser = (): OpenPage => {
  let connected: ReturnType<typeof connect> | undefined;
  after(async () => (await connected)?.close());
  return async (origins, options) => {
    connected ??= connect();
    return watchPage((await connected).browser, origins, options);
  };
};

/** `origins` are the only ones that the page may ask. */
export type OpenPage = (origins: readonly string[], options?: BrowserContextOptions) => Promise<WatchedPage>;

export type WatchedPage = {
  readonly page: Page;
  /** Returns and clears the problems so far, so that a test can expect them. */
  readonly takeProblems: () => string[];
  /** Fails on any console error, page error, violation of the page's policy or request to a foreign host. */
  readonly assertClean: () => void;
  readonly close: () => Promise<void>;
};

/** A page that writes down whatever a user would call broken, in itself and in the tabs that its context opens. */
const watchPage = async (
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> => {
  // An animation redraws the page 60 times a second as long as a test waits.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  // A busy machine renders a video slowly; the runner's own limit ends what never comes.
  context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  const page = await context.newPage();
  const problems: string[] = [];
  // Violations of a policy are console errors too.
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (failure) => problems.push(`page: ${failure.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (['data:', 'blob:', 'about:'].includes(protocol) || origins.includes(origin)) return;
    // Without its query, which may hold a signature.
    problems.push(`request to ${origin}`);
  });
  const takeProblems = () => problems.splice(0);
  return {
    page,
    takeProblems,
    assertClean: () => assert.deepEqual(takeProblems(), []),
    close: () => context.close(),
  };
};
