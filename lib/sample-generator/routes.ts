import { createHash } from 'node:crypto';
import { parseJson, pause, readBody, sendJson } from './exchange.ts';
import { generateContent, streamGenerateContent } from './generate-content.ts';
import { type Handler, injectFault } from './generator.ts';
import { getOperation } from './get-operation.ts';
import { requireModel } from './models.ts';
import { operationName } from './operations.ts';
import { redirectToFile, sendFile } from './video-handlers.ts';
import { videoSpec } from './video-spec.ts';

const createVideo: Handler = async (exchange, generator) => {
  const model = requireModel(exchange.groups.model, 'video', 'predictLongRunning');
  const body = await readBody(exchange.request);
  const spec = await videoSpec(model, parseJson(body), generator.pictures);
  const subject = createHash('sha256').update(model).update(body).digest('hex');
  await pause(exchange, spec.directives.slowStartSeconds);
  await injectFault(exchange, generator, { place: 'create', subject, directives: spec.directives });
  sendJson(exchange.response, { name: operationName(await generator.operations.start(spec)) });
};

export type Route = { readonly method: 'GET' | 'POST'; readonly path: RegExp; readonly handle: Handler };

const MODEL = '/v1beta/models/(?<model>[^/:]+)';
const FILE = '/v1beta/files/(?<file>[a-z0-9]{12}):download';
const path = (source: string) => new RegExp(`^${source}$`);

/** What the upstream's own host answers; every one of these wants the key. */
export const UPSTREAM_ROUTES: readonly Route[] = [
  { method: 'POST', path: path(`${MODEL}:predictLongRunning`), handle: createVideo },
  { method: 'GET', path: path(`${MODEL}/operations/(?<operation>[a-z0-9]{11})`), handle: getOperation },
  { method: 'GET', path: path(FILE), handle: redirectToFile },
  { method: 'GET', path: path(`/download${FILE}`), handle: sendFile },
  { method: 'POST', path: path(`${MODEL}:generateContent`), handle: generateContent },
  { method: 'POST', path: path(`${MODEL}:streamGenerateContent`), handle: streamGenerateContent },
];

/** Another host, to which a download can be sent on; it needs no key and should never see one. */
export const FOREIGN_ROUTES: readonly Route[] = [
  { method: 'GET', path: path('/storage/(?<file>[a-z0-9]{12})'), handle: sendFile },
];
