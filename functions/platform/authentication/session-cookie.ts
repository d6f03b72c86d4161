type Headers = (name: string) => string | undefined;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/;

export const isSecure = (header: Headers): boolean => (header('x-forwarded-proto') ?? 'https') === 'https';

/** Cookies do not tell ports apart, so that over http the name does; undefined where no cookie is safe. */
export const sessionCookieName = (header: Headers): string | undefined => {
  if (isSecure(header)) return '__Host-mg-session';
  const match = LOOPBACK.exec(header('host') ?? '');
  return match === null ? undefined : `mg-session-${match[1] ?? '80'}`;
};

export const readSessionCookie = (header: Headers): string | undefined => {
  const prefix = `${sessionCookieName(header)}=`;
  const found = (header('cookie') ?? '').split(';').find((pair) => pair.trim().startsWith(prefix));
  return found?.trim().slice(prefix.length);
};

/** An empty value with no age left removes the cookie. */
export const sessionCookie = (name: string, value: string, maxAgeSeconds: number): string =>
  [
    `${name}=${value}`,
    'Path=/',
    ...(name.startsWith('__Host-') ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ');

/** True for what a page of this service sent, undefined where the request does not tell: no browser sent it. */
export const isSameOrigin = (header: Headers): boolean | undefined => {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  if (origin === undefined) return undefined;
  return origin === `${isSecure(header) ? 'https' : 'http'}://${header('host') ?? ''}`;
};
