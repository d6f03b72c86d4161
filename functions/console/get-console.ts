import { join } from 'node:path';
import { isSecure } from '../identity/authentication/authenticate.ts';
import { openAiDialect } from '../platform/api/dialects.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { MEDIA_HOST, readEnvironment } from '../platform/runtime/environment.ts';
import type { HttpRequest } from '../platform/runtime/http.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { publicStreamedHandler, type StreamedResponse } from '../platform/runtime/stream.ts';
import {
  chooseEncoding,
  consoleFiles,
  contentType,
  securityHeaders,
  sessionPreload,
  withPrefix,
} from './page.ts';

export const ENVIRONMENT = MEDIA_HOST;
const { MEDIA_HOST: mediaHost } = readEnvironment(ENVIRONMENT);
const files = consoleFiles(join(import.meta.dirname, 'console'));

const asset = (name: string, acceptEncoding: string | undefined): StreamedResponse => {
  const encoding = chooseEncoding(acceptEncoding);
  const bytes = files.asset(name, encoding);
  if (bytes === undefined) throw new DomainError('not_found', 'The console has no such file.');
  return {
    status: 200,
    headers: {
      'content-type': contentType(name),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
    chunks: [bytes],
  };
};

/** Not cached: the page is under 2 KB, about as large as its headers. */
const page = (path: string, { prefix, header }: HttpRequest): StreamedResponse => ({
  status: 200,
  headers: {
    ...securityHeaders(mediaHost, isSecure(header)),
    ...sessionPreload(path, prefix),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  },
  chunks: [withPrefix(files.page, prefix)],
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
    const path = request.path.path ?? '';
    const [first, ...rest] = path.split('/');
    return first === 'assets'
      ? asset(rest.join('/'), request.header('accept-encoding'))
      : page(path, request);
  },
);
