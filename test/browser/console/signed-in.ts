import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions } from 'playwright-core';
import { issueSignInUrl } from '../../../lib/operator/administration.ts';
import type { OpenPage, WatchedPage } from '../../support/browser.ts';
import type { ServiceAddress } from '../../support/service.ts';
import { sessionStore, signIn } from '../../support/sessions.ts';

type Addressed = Pick<ServiceAddress, 'baseUrl' | 'operator' | 'outputs' | 'sessionsTable'>;

/** Playwright's. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

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
};

export type ConsolePage = WatchedPage & { readonly account: string; readonly sessionId: string };

/** Loads a page of the console in a new session. */
const enter = async (
  watched: WatchedPage,
  service: Addressed,
  { account = newAccount(), path = '/playground/video' }: Place,
): Promise<ConsolePage> => {
  const { id, cookie } = await signIn(service, account);
  const [name = '', value = ''] = cookie.split('=');
  const { origin } = new URL(service.baseUrl);
  await watched.page
    .context()
    .addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' as const }]);
  await watched.page.goto(`${service.baseUrl}/console${path}`);
  return { ...watched, account, sessionId: id };
};

/** Opens a page of the console in a new session. */
export const openConsole = async (
  openPage: OpenPage,
  service: Addressed,
  { account, path, ...options }: BrowserContextOptions & Place = {},
): Promise<ConsolePage> => {
  const watched = await openPage(consoleOrigins(service), options);
  return enter(watched, service, { account, path });
};

/** Removes what a test has left in its page; images are kept for each account, and the next test has its own. */
const clean = async ({ page, takeProblems }: WatchedPage): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['request', 'download'] as const) page.removeAllListeners(event);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.setViewportSize(DEFAULT_VIEWPORT);
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  takeProblems();
};

/** Like `openConsole`, but in the page of a test that has closed it: a new page takes twice the CPU time. */
export const reuseConsole = (openPage: OpenPage, service: Addressed) => {
  const free: WatchedPage[] = [];
  return async (place: Place = {}): Promise<ConsolePage> => {
    const watched = free.pop() ?? (await openPage(consoleOrigins(service)));
    const close = () => clean(watched).then(() => void free.push(watched));
    return { ...(await enter(watched, service, place)), close };
  };
};
