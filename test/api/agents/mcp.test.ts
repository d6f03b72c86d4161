import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hashKey } from '../../../functions/identity/domain/api-key.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { dynamoClient } from '../../../lib/operator/dynamo-client.ts';
import { stackOutput } from '../../../lib/operator/operated-stack.ts';
import { call, createVideo, HELD_BACK, MODEL } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { callTool, legacyMessage, MODERN, modernMessage, sendMcp, toToolAnswer } from '../../support/mcp.ts';
import { openSharedService } from '../../support/open-service.ts';
import { wholeMp4 } from '../../support/sample-video.ts';
import { until } from '../../support/until.ts';

const service = await openSharedService();
type Model = Readonly<
  Record<'id' | 'kind' | 'price_per_second', unknown> & {
    options: object;
    price_per_image?: Record<string, string>;
  }
>;
const store = { clientConfig: service.operator, outputs: service.outputs };
const createdAt = Date.now();

const send = async (wire: Parameters<typeof sendMcp>[1]) => {
  const { status, messages } = await sendMcp(service, wire);
  return { status, message: Object(messages.at(-1)) };
};

describe('the endpoint', () => {
  test('answers clients of both eras', async () => {
    const params = { protocolVersion: '2025-06-18' };
    const { message } = await send({ body: legacyMessage({ method: 'initialize', params }).body });
    assert.equal(message.result.protocolVersion, '2025-06-18');
    const { status, text } = await sendMcp(service, {
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    assert.deepEqual([status, text], [202, '']);
    const { message: found } = await send(modernMessage({ method: 'server/discover' }));
    assert.deepEqual([found.result.resultType, found.result.supportedVersions], ['complete', [MODERN]]);
    const unknown = await send(modernMessage({ method: 'nope' }));
    assert.deepEqual([unknown.status, unknown.message.error.code], [404, -32601]);
  });

  test('lists its tools in less than 12 KB, the same for both eras', async () => {
    const [legacy, modern] = await Promise.all(
      [legacyMessage, modernMessage].map((to) => sendMcp(service, to({ method: 'tools/list' }))),
    );
    assert.ok(Buffer.byteLength(legacy?.text ?? '') < 12_000, `${legacy?.text.length}`);
    const names = Object(legacy?.messages[0]).result.tools.map(({ name }: { name: string }) => name);
    assert.equal(names.length, 12);
    assert.deepEqual(Object(legacy?.messages[0]).result.tools, Object(modern?.messages[0]).result.tools);
    assert.deepEqual(Object.keys(Object(legacy?.messages[0]).result), ['tools']);
  });

  test('has no streams and no sessions', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await call(service, method, '/mcp');
      assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
    }
  });

  test('needs an API key in the header', async () => {
    const { body } = legacyMessage({ method: 'tools/list' });
    for (const apiKey of ['', 'mgk_wrong'])
      assert.equal((await sendMcp({ ...service, apiKey }, { body })).status, 401);
    for (const [path, headers] of [
      [`/mcp?key=${service.apiKey}`, {}],
      ['/mcp', { cookie: 'mg-session=x' }],
    ] as const)
      assert.equal((await call(service, 'POST', path, { key: '', json: body, headers })).status, 401);
    const admin = await issueApiKey(store, { account: service.account, name: 'admin', kind: 'admin' });
    assert.equal((await sendMcp({ ...service, apiKey: admin }, { body })).status, 403);
  });

  test('refuses pages of other origins and other names of this machine', async () => {
    const wire = legacyMessage({ method: 'ping' });
    const headers = { ...wire.headers, origin: 'https://evil.example' };
    assert.equal((await sendMcp(service, { ...wire, headers })).status, 403);
    const own = { ...wire.headers, origin: new URL(service.baseUrl).origin };
    assert.equal((await sendMcp(service, { ...wire, headers: own })).status, 200);
    const { hostname, port, pathname } = new URL(service.baseUrl);
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, path: `${pathname}/mcp`, method: 'POST', headers: { host: 'evil.example' } },
        (response) => resolve(response.resume().statusCode),
      );
      sent.on('error', reject).end('{}');
    });
    assert.equal(status, 403);
  });
});

describe('a tool', () => {
  test('refuses unknown arguments and wrong values in its result, and unknown tools as errors', async () => {
    for (const [name, given, text] of [
      ['create_video', { prompt: 'x', sekonds: 4 }, /^unknown_parameter: sekonds/],
      [
        'create_video',
        { prompt: 'x', seconds: 5 },
        /^invalid_request: seconds must be one of 4, 6, 8 seconds/,
      ],
    ] as const) {
      const answer = await callTool(service, name, given);
      assert.ok(answer.isError);
      assert.match(answer.text, text);
      assert.deepEqual(answer.fields, {});
    }
    const { status, message } = await send(legacyMessage({ method: 'tools/call', params: { name: 'nope' } }));
    assert.deepEqual([status, message.error.code], [200, -32602]);
  });

  test('answers odd arguments with the id of the call, never as a failure of the service', async () => {
    const { message } = await send(legacyMessage({ method: 'tools/list' }));
    const tools: readonly { name: string; inputSchema: { properties?: object } }[] = message.result.tools;
    const odd = { toString: 1, valueOf: [], __proto__: null };
    const calls = [
      ...tools.flatMap(({ name, inputSchema: { properties = {} } }) =>
        Object.keys(properties).map((field) => ({ name, arguments: { [field]: odd } })),
      ),
      ...[odd, [], [odd], {}, '5e400', '\u0000', -1, 1e308, true].map((wait_seconds) => ({
        name: 'get_video',
        arguments: { video_id: 'task_1', wait_seconds },
      })),
      ...[null, 7, 'x', [odd]].map((given) => ({ name: 'get_video', arguments: given })),
      ...[odd, [], 7, 'constructor', '__proto__'].map((name) => ({ name, arguments: {} })),
    ];
    const wrong: unknown[] = [];
    await Promise.all(
      calls.map(async (params) => {
        const { status, message } = await send(legacyMessage({ method: 'tools/call', params, id: 77 }));
        const { jsonrpc, id, result, error } = message;
        const isTold = jsonrpc === '2.0' && id === 77 && (result?.isError === true || error?.code === -32602);
        if (status !== 200 || !isTold) wrong.push([params, status, message]);
      }),
    );
    assert.deepEqual(wrong, []);
  });

  test('refuses what costs more than max_price, and creates nothing', async () => {
    const apiKey = await service.issueKey(`thrifty-${randomUUID()}`);
    const own = { ...service, apiKey };
    const video = await callTool(own, 'create_video', {
      model: MODEL,
      prompt: HELD_BACK,
      seconds: 4,
      max_price: '1.59',
    });
    assert.match(video.text, /^price_above_limit: This would cost 1\.60 USD/);
    const image = await callTool(own, 'generate_image', { prompt: 'x', n: 2, max_price: 0.1 });
    assert.match(image.text, /^price_above_limit: This would cost 0\.14 USD/);
    assert.deepEqual((await callTool(own, 'list_videos')).fields.videos, []);
    assert.deepEqual((await callTool(own, 'list_images')).fields.images, []);
  });

  test('creates one video for a call that is repeated', async () => {
    const own = { ...service, apiKey: await service.issueKey(`repeating-${randomUUID()}`) };
    const given = { prompt: `${HELD_BACK} repeated`, seconds: 4 };
    const together = await Promise.all(Array.from({ length: 4 }, () => callTool(own, 'create_video', given)));
    const answers = [...together, await callTool(own, 'create_video', given)];
    assert.equal(new Set(answers.map(({ fields }) => fields.video_id)).size, 1);
    assert.equal(answers.filter(({ fields }) => fields.reused !== true).length, 1);
    const { fields } = await callTool(own, 'list_videos');
    assert.equal(Object(fields.videos).length, 1);
    const other = await callTool(own, 'create_video', { ...given, idempotency_key: 'second' });
    assert.notEqual(other.fields.video_id, answers[0]?.fields.video_id);
    // While the worker tries to submit the video, it cannot be cancelled.
    await until(async () => {
      const cancelled = await callTool(own, 'cancel_video', { video_id: other.fields.video_id });
      assert.ok(cancelled.isError || cancelled.fields.video_id === other.fields.video_id);
      return cancelled.fields.status === 'failed';
    });
  });

  test('says what a refused video would cost and what is left', async () => {
    const apiKey = await issueApiKey(store, {
      account: `poor-${randomUUID()}`,
      name: 'agent',
      monthlyBudget: '2.00',
    });
    const own = { ...service, apiKey };
    const video = { model: MODEL, seconds: 4 };
    const { fields } = await callTool(own, 'estimate_price', { kind: 'video', ...video });
    assert.equal(fields.price, '1.60');
    assert.equal(Object(fields.key_budget).left, '2.00');
    assert.equal((await callTool(own, 'create_video', { ...video, prompt: HELD_BACK })).isError, false);
    const refused = await callTool(own, 'create_video', { ...video, prompt: `${HELD_BACK} more` });
    assert.match(refused.text, /^insufficient_quota: .*\$0\.40 left .* costs \$1\.60\. It resets on/);
    const estimate = await callTool(own, 'estimate_price', { kind: 'video', ...video });
    assert.match(String(estimate.fields.would_be_refused), /^insufficient_quota: /);
    const budget = await callTool(own, 'get_budget');
    assert.deepEqual(Object(budget.fields.key_budget).used, '1.6');
  });

  test('shows models, prices, budgets, uploads and lists', async () => {
    const account = `new-${randomUUID()}`;
    const own = { ...service, apiKey: await service.issueKey(account) };
    const ids = await Promise.all(
      [1, 2].map((later) =>
        putVideo(service, account, { prompt: 'x', createdAt: createdAt + later, bytes: wholeMp4() }),
      ),
    );
    const models = await callTool(own, 'list_models');
    assert.deepEqual(
      Object(models.fields.models).map(({ id, kind, options, price_per_second, price_per_image }: Model) => [
        id,
        kind,
        Object.keys(options).length > 0,
        price_per_second ?? price_per_image?.['1K'],
      ])[0],
      [MODEL, 'video', true, '0.40'],
    );
    const free = { currency: 'USD', next_step: 'Neither this API key nor its account has a monthly budget.' };
    assert.deepEqual((await callTool(own, 'get_budget')).fields, free);
    assert.deepEqual((await callTool(own, 'estimate_price', { kind: 'image', n: 2 })).fields, {
      price: '0.14',
      currency: 'USD',
      next_step: 'Nothing was created. Pass the price as max_price when you create it.',
    });
    const given = { filename: 'a.jpg', mime_type: 'image/jpeg', bytes: JPEG.length };
    const { upload_url, method, headers } = (await callTool(own, 'create_upload', given)).fields;
    const sent = await fetch(String(upload_url), { method: 'PUT', headers: Object(headers), body: JPEG });
    assert.deepEqual([sent.status, method], [200, 'PUT']);
    const first = await callTool(own, 'list_videos', { limit: 1 });
    assert.deepEqual([first.fields.has_more, first.fields.last_id], [true, ids[1]]);
    const rest = await callTool(own, 'list_videos', { after: ids[1] });
    assert.deepEqual([rest.fields.has_more, rest.fields.last_id], [false, ids[0]]);
    const shared = await callTool(own, 'create_share_link', { video_id: ids[0], expires_in_seconds: 3600 });
    const lifetime = Date.parse(String(shared.fields.expires_at)) - Date.now();
    assert.ok(lifetime > 3_500_000 && lifetime <= 3_600_000, String(lifetime));
  });

  test('refuses videos and files of other accounts', async () => {
    const other = `other-${randomUUID()}`;
    const otherKey = await service.issueKey(other);
    const videoId = await createVideo(service, HELD_BACK, otherKey);
    const fileId = await putImage(service, other, { prompt: 'secret', createdAt, bytes: JPEG });
    for (const [name, given] of [
      ['get_video', { video_id: videoId }],
      ['cancel_video', { video_id: videoId }],
      ['create_share_link', { video_id: videoId }],
      ['create_share_link', { file_id: fileId }],
      ['get_image', { file_id: fileId }],
      ['create_video', { prompt: 'x', first_frame_file_id: fileId }],
      ['generate_image', { prompt: 'x', image_file_ids: [fileId] }],
    ] as const) {
      const { isError, text } = await callTool(service, name, given);
      assert.ok(isError && /not found/.test(text) && !text.includes('secret'), `${name}: ${text}`);
    }
  });

  test('that makes something is refused to a key with the role viewer', async () => {
    const account = `viewing-${randomUUID()}`;
    const own = { ...service, apiKey: await service.issueKey(account) };
    await dynamoClient(store.clientConfig).send(
      new UpdateItemCommand({
        TableName: stackOutput(store, 'KeyTableName'),
        Key: { hash: { S: hashKey(own.apiKey) } },
        UpdateExpression: 'SET #role = :viewer',
        ExpressionAttributeNames: { '#role': 'role' },
        ExpressionAttributeValues: { ':viewer': { S: 'viewer' } },
      }),
    );
    const needsMember =
      /^insufficient_permissions: This requires the role member; the API key has the role viewer/;
    for (const name of ['create_video', 'create_share_link'])
      assert.match((await callTool(own, name, { prompt: 'x' })).text, needsMember);
    assert.equal((await callTool(own, 'list_videos', {})).isError, false);
  });

  const PLACES = { TableName: stackOutput(store, 'TaskTableName'), Key: { id: { S: 'waiting-calls' } } };

  const changePlaces = (verb: 'ADD' | 'DELETE', account: string) => {
    const end = createdAt + 3_600_000;
    const places = Array.from({ length: 1000 }, (_, place) => `${end}/${place}`);
    return dynamoClient(store.clientConfig).send(
      new UpdateItemCommand({
        ...PLACES,
        UpdateExpression: `${verb} #own :places`,
        ExpressionAttributeNames: { '#own': `of ${account}` },
        ExpressionAttributeValues: { ':places': { SS: places } },
      }),
    );
  };

  test('makes images only if its account has a place, and returns the place when they are finished or refused', async () => {
    const account = `drawing-${randomUUID()}`;
    const own = { ...service, apiKey: await service.issueKey(account) };
    const draw = (more: object) =>
      callTool(own, 'generate_image', { prompt: 'A fox', image_size: '512', ...more });
    await changePlaces('ADD', account);
    const given = { idempotency_key: 'fox' };
    const { text } = await draw(given);
    assert.match(text, /^overloaded: Too many calls .* Nothing was created; .*\(retry_after_seconds: 15\)$/);
    assert.deepEqual((await callTool(own, 'list_images')).fields.images, []);
    await changePlaces('DELETE', account);
    assert.match((await draw({ image_file_ids: [`file_${'0'.repeat(26)}`] })).text, /not found/);
    assert.equal((await draw(given)).fields.status, 'completed');
    const { Item = {} } = await dynamoClient(store.clientConfig).send(new GetItemCommand(PLACES));
    assert.equal(`of ${account}` in Item, false);
    // Images that are finished need none.
    await changePlaces('ADD', account);
    assert.equal((await draw(given)).fields.status, 'completed');
    await changePlaces('DELETE', account);
  });

  test('answers at once if its account already waits with as many calls as it may', async () => {
    const account = `waiting-${randomUUID()}`;
    const own = { ...service, apiKey: await service.issueKey(account) };
    const videoId = await createVideo(own, HELD_BACK, own.apiKey);
    await changePlaces('ADD', account);
    // A call that waits would report its progress.
    const wire = legacyMessage({
      method: 'tools/call',
      params: {
        name: 'get_video',
        arguments: { video_id: videoId, wait_seconds: 40 },
        _meta: { progressToken: 1 },
      },
    });
    const { messages } = await sendMcp(own, wire);
    assert.equal(messages.length, 1);
    const { isError, fields } = toToolAnswer(messages[0]);
    assert.equal(isError, false);
    assert.ok(Number(fields.poll_after_seconds) > 0);
    assert.match(String(fields.next_step), /^Call get_video/);
    await changePlaces('DELETE', account);
  });

  test('gives links to a video and an image that work, and a small preview', async () => {
    const account = `library-${randomUUID()}`;
    const own = { ...service, apiKey: await service.issueKey(account) };
    const [videoId, fileId] = await Promise.all([
      putVideo(service, account, { prompt: 'A cat', createdAt, bytes: wholeMp4() }),
      putImage(service, account, { prompt: 'A cat', createdAt, bytes: JPEG }),
    ]);
    const video = await callTool(own, 'get_video', { video_id: videoId, wait_seconds: 40 });
    assert.equal(video.fields.status, 'completed');
    assert.equal((await fetch(String(video.fields.url))).status, 200);
    assert.deepEqual(
      video.content.map(({ type, mimeType }) => [type, mimeType]),
      [['resource_link', 'video/mp4']],
    );
    const image = await callTool(own, 'get_image', { file_id: fileId });
    assert.equal((await fetch(String(image.fields.url))).status, 200);
    const [preview] = image.content;
    assert.equal(preview?.mimeType, 'image/webp');
    assert.ok(String(preview?.data).length < 60_000);
    const { fields } = await callTool(own, 'create_share_link', { file_id: fileId });
    assert.equal((await fetch(String(fields.url))).status, 200);
  });
});

describe('a video of a client with the tasks extension', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const create = () =>
    send(
      modernMessage(
        {
          method: 'tools/call',
          params: {
            name: 'create_video',
            arguments: { prompt: `${HELD_BACK} task`, idempotency_key: randomUUID() },
          },
        },
        TASKS,
      ),
    );
  const tasks = (method: string, taskId: string, capabilities: Readonly<Record<string, unknown>> = TASKS) =>
    send(modernMessage({ method: `tasks/${method}`, params: { taskId } }, capabilities));

  test('is a task that can be read and cancelled', async () => {
    const { message } = await create();
    const { resultType, taskId, status, pollIntervalMs } = message.result;
    assert.deepEqual([resultType, status, pollIntervalMs], ['task', 'working', 3000]);
    assert.equal((await tasks('get', taskId)).message.result.status, 'working');
    assert.equal((await tasks('update', taskId)).message.result.resultType, 'complete');
    await until(async () => {
      assert.equal((await tasks('cancel', taskId)).message.result.resultType, 'complete');
      const ended = (await tasks('get', taskId)).message.result;
      assert.equal('result' in ended, false);
      return ended.status === 'cancelled';
    });
  });

  test('that is completed has the result of the tool', async () => {
    const id = await putVideo(service, service.account, { prompt: 'x', createdAt, bytes: wholeMp4() });
    const { message } = await tasks('get', id);
    const { status, result } = message.result;
    assert.equal(status, 'completed');
    assert.equal(toToolAnswer({ result }).fields.video_id, id);
  });

  test('is unknown to other accounts, and to clients without the extension', async () => {
    const other = await createVideo(service, HELD_BACK, await service.issueKey(`other-${randomUUID()}`));
    for (const method of ['get', 'update', 'cancel'])
      assert.equal((await tasks(method, other)).message.error.code, -32602);
    const { status, message } = await tasks('get', other, {});
    assert.deepEqual([status, message.error.code], [400, -32021]);
  });
});
