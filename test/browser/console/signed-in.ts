import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { issueSignInUrl } from '../../../lib/operator/administration.ts';
import type { OpenPage, PageOptions, WatchedPage } from '../../support/browser.ts';
import type { ServiceAddress } from '../../support/service.ts';
import { sessionStore, signIn } from '../../support/sessions.ts';

type Addressed = Pick<ServiceAddress, 'baseUrl' | 'operator' | 'outputs' | 'sessionsTable'>;

export const newAccount = (): string => `acme-${randomUUID()}`;

export const signInLink = (service: Addressed, account: string): Promise<string> =>
  issueSignInUrl(sessionStore(service), service.baseUrl, account);

/** The only origins that the console may request: its own, and the store of the videos. */
export const consoleOrigins = ({ baseUrl, operator }: Addressed): readonly string[] => [
  new URL(baseUrl).origin,
  new URL(operator.endpoint).origin,
];

type Place = {
  readonly account?: string | undefined;
  /** Below `/console`. */
  readonly path?: string | undefined;
  /** Changes the page before it is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

export type ConsolePage = WatchedPage & { readonly account: string; readonly sessionId: string };

/** Opens another page of the console as a link does, without loading it. */
export const followLink = (page: Page, { baseUrl }: Addressed, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', '${new URL(baseUrl).pathname}/console${path}')`);

/** Opens a page of the console in a new session. */
export const openConsole = async (
  openPage: OpenPage,
  service: Addressed,
  { account = newAccount(), path = '/playground/video', prepare, ...options }: PageOptions & Place = {},
): Promise<ConsolePage> => {
  const watched = await openPage(consoleOrigins(service), options);
  const { id, cookie } = await signIn(service, account);
  const [name = '', value = ''] = cookie.split('=');
  const { origin } = new URL(service.baseUrl);
  await watched.page
    .context()
    .addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' as const }]);
  await prepare?.(watched.page);
  await watched.page.goto(`${service.baseUrl}/console${path}`);
  return { ...watched, account, sessionId: id };
};

const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  const add = (entries) => {
    for (const { value, hadRecentInput } of entries) if (!hadRecentInput) sum += value;
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      add(observer.takeRecords());
      resolve(sum);
    }),
  );
})`;
const MOST_SHIFT = 0.02;

/** Nothing that the page has shown since it was loaded has moved, except after an input. */
export const assertStill = async (page: Page): Promise<void> => {
  const shift = Number(await page.evaluate(SHIFTS));
  assert.ok(shift <= MOST_SHIFT, `layout shift ${shift}`);
};
