import { join } from 'node:path';
import { consoleFiles } from './adapters/console-files.ts';
import { encodingFor, pageUnder, securityHeaders, sessionPreload, typeOf } from './api/console/page.ts';
import { openAiDialect } from './api/errors.ts';
import { DomainError } from './domain/errors.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import type { HttpRequest } from './runtime/http.ts';
import { jsonLogger } from './runtime/logger.ts';
import { isSecure } from './runtime/session-cookie.ts';
import { publicStreamedHandler, type StreamedResponse } from './runtime/stream.ts';

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
