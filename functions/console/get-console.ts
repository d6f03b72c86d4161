import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAiDialect } from '../platform/api/errors.ts';
import { isSecure } from '../platform/authentication/authenticate.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import type { HttpRequest } from '../platform/runtime/http.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { publicStreamedHandler, type StreamedResponse } from '../platform/runtime/stream.ts';

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

/** The best of what the browser takes; `;q=0` means that it does not. */
export const encodingFor = (accepted: string | undefined): 'br' | 'gzip' | 'identity' => {
  const taken = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || Number(weight.slice('q='.length)) > 0)
    .map(([coding]) => coding);
  if (taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
};

export type Encoding = 'br' | 'gzip' | 'identity';

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

const { MEDIA_HOST } = readEnvironment(ENVIRONMENTS['get-console']);
const files = consoleFiles(join(import.meta.dirname, 'console'));

const asset = (name: string, acceptEncoding: string | undefined): StreamedResponse => {
  const encoding = encodingFor(acceptEncoding);
  const bytes = files.asset(name, encoding);
  if (bytes === undefined) throw new DomainError('not_found', 'The console has no such file.');
  return {
    status: 200,
    headers: {
      'content-type': typeOf(name),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
    chunks: [bytes],
  };
};

/** Sent whole each time: it is under 2 KB, about as much as its headers. */
const page = (path: string, { prefix, header }: HttpRequest): StreamedResponse => ({
  status: 200,
  headers: {
    ...securityHeaders(MEDIA_HOST, isSecure(header)),
    ...sessionPreload(path, prefix),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  },
  chunks: [pageUnder(files.page, prefix)],
});

const redirect = (location: string): StreamedResponse => ({
  status: 302,
  headers: { location, 'content-type': 'text/plain; charset=utf-8' },
  chunks: [`The console is at ${location}\n`],
});

export const handler = publicStreamedHandler(
  { dialect: openAiDialect, logger: jsonLogger() },
  async (request) => {
    if (request.route === '/') return redirect(`${request.prefix}/console/`);
    const path = request.route === '/console' ? '' : request.path('path');
    const [first, ...rest] = path.split('/');
    return first === 'assets'
      ? asset(rest.join('/'), request.header('accept-encoding'))
      : page(path, request);
  },
);
