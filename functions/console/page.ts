import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the page and its files are sent: what browsers may keep, load and run. */

type Headers = Readonly<Record<string, string>>;

/** Without a scheme, a host stands for the page's own scheme or a safer one. */
const contentPolicy = (mediaHost: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    `media-src 'self' blob: ${mediaHost}`,
    `connect-src 'self' ${mediaHost}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

export const securityHeaders = (mediaHost: string, secure: boolean): Headers => ({
  'content-security-policy': contentPolicy(mediaHost),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

const PREFIX_PLACEHOLDER = '{{prefix}}';
const PREFIX = /^(?:\/[\w.-]+)*$/;

const safePrefix = (prefix: string): string => (PREFIX.test(prefix) ? prefix : '');

/** The session is asked for while the scripts are still on their way. Who signs in has none yet. */
export const sessionPreload = (path: string, prefix: string): Headers =>
  path === 'sign-in'
    ? {}
    : { link: `<${safePrefix(prefix)}/v1/console/session>; rel=preload; as=fetch; crossorigin` };

/** The page for the path under which the stage is reached, `/prod` or nothing. */
export const pageUnder = (page: string, prefix: string): string =>
  page.replaceAll(PREFIX_PLACEHOLDER, safePrefix(prefix));

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  woff2: 'font/woff2',
};

export const typeOf = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The best encoding that the browser accepts; `;q=0` means that it does not. */
export const encodingFor = (accepted: string | undefined): Encoding => {
  const taken = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || Number(weight.slice('q='.length)) > 0)
    .map(([coding]) => coding);
  if (taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
};

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** The built console, which is part of the function's bundle. */
export const consoleFiles = (folder: string) => {
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    /** Undefined where the build has no such file; a compressed form is none. */
    asset: (name: string, encoding: Encoding): Uint8Array | undefined =>
      names.has(`${name}.br`) ? readFileSync(join(assets, `${name}${SUFFIXES[encoding]}`)) : undefined,
  };
};
