import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { generateApiKey } from '../../../functions/identity/domain/api-key.ts';
import { type Attributes, encode } from '../../../functions/platform/aws/attributes.ts';
import { toItem } from '../../../functions/videos/adapters/task-item.ts';
import { aTask } from '../../support/builders/task.ts';
import { MODEL } from '../../support/http.ts';
import { startServer } from '../../support/server.ts';

const ACCOUNT = 'bench';
const { key, stored } = generateApiKey(ACCOUNT, 'bench', Date.now());
const task = aTask({ account: ACCOUNT, keyId: stored.id, createdAt: Date.now() });

const requestSchema = z.object({
  Key: z.record(z.string(), z.unknown()).default({}),
  MessageBody: z.string().default(''),
});

const ITEMS: Readonly<Record<string, Attributes>> = { hash: encode(stored), id: toItem(task) };

const answerTo = (target: string, body: string): unknown => {
  const { Key, MessageBody } = requestSchema.parse(JSON.parse(body));
  if (target.endsWith('.GetItem')) return { Item: ITEMS[Object.keys(Key)[0] ?? ''] };
  if (target.endsWith('.SendMessage'))
    return { MessageId: randomUUID(), MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
  return {};
};

/** Has one key and one task, and accepts every write: the emulators would use more CPU than the functions. */
export const startFixedAws = () =>
  startServer((request, response) => {
    text(request).then((body) =>
      response
        .writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() })
        .end(JSON.stringify(answerTo(String(request.headers['x-amz-target']), body))),
    );
  });

/** An event of API Gateway, with the fields that our functions read. */
const gatewayEvent = (
  method: string,
  resource: string,
  pathParameters: Readonly<Record<string, string>> | null,
  body: string | null,
) => {
  const path = resource.replace('{task_id}', task.id);
  return {
    httpMethod: method,
    resource,
    path,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Host: 'bench.test',
      'User-Agent': 'bench',
      'X-Forwarded-Proto': 'https',
    },
    queryStringParameters: null,
    pathParameters,
    body,
    isBase64Encoded: false,
    requestContext: { requestId: 'bench', path: `/prod${path}`, domainName: 'bench.test', stage: 'prod' },
  };
};

export type Trial = {
  readonly name: 'status' | 'create';
  readonly function: string;
  readonly event: ReturnType<typeof gatewayEvent>;
};

export const TRIALS: readonly Trial[] = [
  {
    name: 'status',
    function: 'get-video',
    event: gatewayEvent('GET', '/v1/videos/{task_id}', { task_id: task.id }, null),
  },
  {
    name: 'create',
    function: 'create-video',
    event: gatewayEvent(
      'POST',
      '/v1/videos',
      null,
      JSON.stringify({ model: MODEL, prompt: task.request.prompt, seconds: 4 }),
    ),
  },
];

/** For the SDK commands that a handler is compared with. */
export const VARIABLES = { BENCH_TASK_ID: task.id, BENCH_ITEM: JSON.stringify(ITEMS.id) };
