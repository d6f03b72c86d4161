import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange, Handler } from './exchange.ts';
import type { UpstreamError } from './upstream-error.ts';
import { sendForeignFile } from './video-files.ts';

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: RegExp;
  readonly handle: Handler;
  /** `public` routes need no credential; `other` belongs to another service of the vendor, which has its own rules. */
  readonly access?: 'public' | 'other';
};

/** How a kind of upstream speaks: one file per kind creates it. */
export type Dialect = {
  readonly routes: readonly Route[];
  /** Throws unless the request has the credential of the upstream. */
  readonly authenticate: (exchange: Exchange) => void;
  readonly sendError: (response: ServerResponse, error: UpstreamError) => void;
  /** The id of a new operation, which may contain letters, digits, `_` and `-`. */
  readonly newId: () => string;
};

export const path = (source: string) => new RegExp(`^${source}$`);

/** Routes of a foreign host to which downloads can redirect; it must never see the key. */
export const FOREIGN_ROUTES: readonly Route[] = [
  { method: 'GET', path: path('/storage/(?<file>[\\w-]{2,100})'), handle: sendForeignFile, access: 'other' },
];

type Found = { readonly route: Route; readonly groups: Exchange['groups'] };

export const findRoute = (routes: readonly Route[], request: IncomingMessage): Found | undefined => {
  const { pathname } = new URL(request.url ?? '/', 'http://sample');
  for (const route of routes) {
    const match = request.method === route.method ? route.path.exec(pathname) : null;
    if (match !== null) return { route, groups: { ...match.groups } };
  }
  return undefined;
};
