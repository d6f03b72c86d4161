import { request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { AwsError, jsonService, type Reply, type Service } from '../emulators/aws-http/service.ts';

const NO_ACCESS = { accessedBy: () => [], close: async () => {} };

/** The parameters that stacks have created. */
export const parameterStore = (find: (name: string) => string | undefined): Service =>
  jsonService({
    ...NO_ACCESS,
    target: 'AmazonSSM',
    operations: new Map([
      [
        'GetParameter',
        (input: unknown) => {
          const { Name } = z.object({ Name: z.string() }).parse(input);
          const Value = find(Name);
          if (Value === undefined)
            throw new AwsError(400, 'ParameterNotFound', `Parameter ${Name} not found.`);
          return { Parameter: { Name, Type: 'String', Value, Version: 1 } };
        },
      ],
    ]),
  });

/** The quota of concurrent executions. */
export const lambdaAccount = (concurrentExecutions: number): Service => ({
  kind: 'buffered',
  dialect: 'json',
  close: async () => {},
  answer: async ({ method, path }) => {
    const isKnown = method === 'GET' && /^\/2016-08-19\/account-settings\/?$/.test(path);
    const body = isKnown
      ? {
          AccountLimit: {
            ConcurrentExecutions: concurrentExecutions,
            UnreservedConcurrentExecutions: concurrentExecutions,
          },
        }
      : { Message: `The local cloud has no ${method} ${path}.` };
    const headers = { 'content-type': 'application/json' };
    return { reply: { status: isKnown ? 200 : 404, headers, body: JSON.stringify(body) }, accessed: [] };
  },
});

/** Passes requests on to the emulators, which check the signature once more. */
export const forwardTo = (endpoint: string, dialect: Service['dialect']): Service => ({
  kind: 'streamed',
  dialect,
  close: async () => {},
  answer: async ({ method, path, query, headers, signal }, body) => {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const url = `${endpoint}${path}${search === '' ? '' : `?${search}`}`;
    const reply = await new Promise<Reply>((resolve, reject) => {
      const forwarded = httpRequest(url, { method, headers, signal }, (response) => {
        const received = Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value.toString()] as const],
        );
        resolve({
          status: response.statusCode ?? 502,
          headers: Object.fromEntries(received),
          body: response,
        });
      });
      forwarded.on('error', reject);
      pipeline(body, forwarded).catch(reject);
    });
    return { reply, accessed: [] };
  },
});
