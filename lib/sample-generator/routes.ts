import { createVideo } from './create-video.ts';
import { redirectToFile, sendFile } from './download-file.ts';
import { generateContent, streamGenerateContent } from './generate-content.ts';
import type { Handler } from './generator.ts';
import { getOperation } from './get-operation.ts';

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
