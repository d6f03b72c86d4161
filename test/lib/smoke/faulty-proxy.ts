import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { connect } from '../../../lib/smoke/api.ts';
import { type Check, runChecks } from '../../../lib/smoke/run-checks.ts';
import { trackTasks } from '../../../lib/smoke/tasks.ts';
import { startServer } from '../../support/server.ts';

/** Runs a check through a proxy in front of a service that works. */

type Target = { readonly baseUrl: string; readonly apiKey: string };

export type Seen = { readonly request: IncomingMessage; readonly response: Response; readonly body: Buffer };
/** Another response for some requests; undefined leaves the service's own. */
export type Fault = (seen: Seen) => Response | undefined;

/** A fault for requests whose method and address match. */
export const at =
  (pattern: RegExp, change: (seen: Seen) => Response | undefined): Fault =>
  (seen) =>
    pattern.test(`${seen.request.method} ${seen.request.url}`) ? change(seen) : undefined;

const requestHeaders = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));

const forward = async (request: IncomingMessage, { baseUrl }: Target): Promise<Response> => {
  const headers = requestHeaders(request);
  for (const name of ['connection', 'transfer-encoding', 'content-length']) headers.delete(name);
  const { method = 'GET', url = '' } = request;
  const sent = await buffer(request);
  const body = sent.length > 0 ? { body: new Uint8Array(sent) } : {};
  return fetch(new URL(url, baseUrl), { method, headers, redirect: 'manual', ...body });
};

const startProxy = (target: Target, fault: Fault) =>
  startServer(async (request, outgoing) => {
    const response = await forward(request, target);
    const body = Buffer.from(await response.arrayBuffer());
    const faulty = fault({ request, response, body });
    const sent = faulty ?? response;
    const headers = new Headers(sent.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      headers.delete(name);
    outgoing.writeHead(sent.status, Object.fromEntries(headers));
    outgoing.end(faulty === undefined ? body : Buffer.from(await faulty.arrayBuffer()));
  });

export const checkThroughProxy = async (target: Target, check: Check, fault: Fault) => {
  const proxy = await startProxy(target, fault);
  const { pathname } = new URL(target.baseUrl);
  const api = connect(
    { baseUrl: `${proxy.url}${pathname}`, apiKey: target.apiKey },
    new AbortController().signal,
  );
  const printed: string[] = [];
  const plan = { series: [[check]], skipped: [] };
  const passed = await runChecks(plan, { api, tasks: trackTasks(api) }, (line) => printed.push(line));
  await proxy.close();
  return { passed, line: printed[0] ?? '' };
};
