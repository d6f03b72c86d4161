import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Headers = Readonly<Record<string, string>>;

/** A host without a scheme allows the page's own scheme, or https. */
const contentPolicy = (mediaHost: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${mediaHost}`,
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

/** Requests the session while the scripts still load. The sign-in page has no session yet. */
export const sessionPreload = (path: string, prefix: string): Headers =>
  path === 'sign-in'
    ? {}
    : { link: `<${safePrefix(prefix)}/v1/console/session>; rel=preload; as=fetch; crossorigin` };

/** Inserts the path of the API stage, `/prod` or nothing. */
export const withPrefix = (page: string, prefix: string): string =>
  page.replaceAll(PREFIX_PLACEHOLDER, safePrefix(prefix));

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  woff2: 'font/woff2',
};

export const contentType = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

type Encoding = 'br' | 'gzip' | 'identity';

/** The best encoding that the browser accepts; `;q=0` means not accepted. */
export const chooseEncoding = (acceptEncoding: string | undefined): Encoding => {
  const accepted = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || Number(weight.slice('q='.length)) > 0)
    .map(([coding]) => coding);
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
};

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** The files of the built console, which are part of the function's bundle. */
export const consoleFiles = (folder: string) => {
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    /** Undefined if the build has no such file; compressed variants are not files of their own. */
    asset: (name: string, encoding: Encoding): Uint8Array | undefined =>
      names.has(`${name}.br`) ? readFileSync(join(assets, `${name}${SUFFIXES[encoding]}`)) : undefined,
  };
};
