import assert from 'node:assert/strict';
import { after } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium, INSTALL_CHROMIUM } from './find-chromium.ts';

const executablePath = findChromium();

const PATIENCE_MILLISECONDS = 60_000;

/** For `describe` and `test`: why the tests in a browser do not run, if so. */
export const skipBrowserTests: string | false =
  executablePath === undefined ? `no Chromium: ${INSTALL_CHROMIUM}` : false;

/** Playwright's. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

/** Tests may listen to these. */
const EVENTS = ['request', 'requestfinished', 'requestfailed', 'response', 'download', 'console'] as const;

const ARGUMENTS = [
  // Otherwise each page gets a process for its empty start and another one for its first URL.
  '--renderer-process-limit=1',
  // Pages are drawn by the processor, and another process for that has to be sent every frame.
  '--in-process-gpu',
  // Keeps compiled programs at once, without waiting for their third use.
  '--blink-settings=v8CacheOptions=4',
  // Programs run for a second or less: optimizing axe takes longer than running it as it is.
  '--js-flags=--no-opt --no-maglev',
];

const launch = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error(`no Chromium was found: ${INSTALL_CHROMIUM}`);
  return chromium.launch({ executablePath, args: ARGUMENTS });
};

/** One for all files of a process: a server in the runner would pass on every message of each. */
let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** `origins` are the only ones that the page may ask. */
export type OpenPage = (origins: readonly string[], options?: PageOptions) => Promise<WatchedPage>;

type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

export type PageOptions = Look & {
  /** For a test that changes its page for good, or needs another kind of page. */
  readonly fresh?: Omit<BrowserContextOptions, keyof Look>;
};

export type WatchedPage = {
  readonly page: Page;
  /** Returns and clears the problems so far, so that a test can expect them. */
  readonly takeProblems: () => string[];
  /** Fails on any console error, page error, violation of the page's policy or request to a foreign host. */
  readonly assertClean: () => void;
  readonly close: () => Promise<void>;
};

type Problems = {
  /** Forgets the problems so far. */
  readonly allow: (origins: readonly string[]) => void;
  readonly take: () => string[];
};

/** Writes down whatever a user would call broken, in the tabs of a context. */
const watch = (context: BrowserContext): Problems => {
  let allowed: readonly string[] = [];
  const problems: string[] = [];
  // Violations of a policy are console errors too.
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    // Without its query, which may hold a signature.
    const place = URL.parse(message.location().url)?.pathname ?? '';
    problems.push(`console: ${message.text()} at ${place}`);
  });
  context.on('weberror', (failure) => problems.push(`page: ${failure.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (['data:', 'blob:', 'about:'].includes(protocol) || allowed.includes(origin)) return;
    // Without its query, which may hold a signature.
    problems.push(`request to ${origin}`);
  });
  const take = () => problems.splice(0);
  const allow = (origins: readonly string[]): void => {
    allowed = origins;
    take();
  };
  return { allow, take };
};

type PooledPage = {
  readonly page: Page;
  readonly problems: Problems;
  readonly protocol: CDPSession;
  readonly visited: Set<string>;
};

/** Pages of tests that have ended: a new one compiles the whole console again, in a process of its own. */
const free: PooledPage[] = [];

const newPage = async (options: BrowserContextOptions = {}): Promise<PooledPage> => {
  launched ??= launch();
  // An animation redraws the page 60 times a second as long as a test waits.
  const context = await (await launched).newContext({ reducedMotion: 'reduce', ...options });
  // A busy machine renders a video slowly; the runner's own limit ends what never comes.
  context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  const problems = watch(context);
  const page = await context.newPage();
  const visited = new Set<string>();
  context.on('request', (request) => {
    if (request.isNavigationRequest()) visited.add(new URL(request.url()).origin);
  });
  return { page, problems, protocol: await context.newCDPSession(page), visited };
};

/** Removes whatever a test has left in its page. */
const clean = async ({ page, protocol, visited }: PooledPage): Promise<void> => {
  const context = page.context();
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  for (const event of EVENTS) page.removeAllListeners(event);
  // Other pages, such as those of errors, have no storage.
  if (page.url().startsWith('http')) await page.evaluate('sessionStorage.clear()');
  // A navigation from outside would take half as much again.
  await page.evaluate(`location.replace('about:blank')`);
  await page.waitForURL('about:blank');
  for (const origin of visited)
    await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  visited.clear();
  await context.clearCookies();
};

/**
 * Opens pages in the browser that the files of a process share. They close after the tests of the file or `describe`
 * that calls this, if no test closes them before.
 */
export const useBrowser = (): OpenPage => {
  const open = new Set<() => Promise<void>>();
  after(async () => {
    for (const close of open) await close();
  });
  return async (origins, { fresh, ...look } = {}) => {
    const pooled = fresh === undefined ? (free.pop() ?? (await newPage())) : await newPage(fresh);
    const { page, problems } = pooled;
    problems.allow(origins);
    const { viewport, colorScheme = null, reducedMotion = 'reduce' } = look;
    await page.setViewportSize(viewport ?? DEFAULT_VIEWPORT);
    await page.emulateMedia({ colorScheme, reducedMotion });
    const close = async (): Promise<void> => {
      if (!open.delete(close)) return;
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      if (fresh !== undefined) return page.context().close();
      await clean(pooled);
      free.push(pooled);
    };
    open.add(close);
    const assertClean = () => assert.deepEqual(problems.take(), []);
    return { page, takeProblems: problems.take, assertClean, close };
  };
};
