import assert from 'node:assert/strict';
import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { dynamoReservations } from '../../../functions/billing/adapters/dynamo-reservations.ts';
import { toUtcMonth } from '../../../functions/billing/domain/periods.ts';
import { hashKey } from '../../../functions/identity/domain/api-key.ts';
import { derivedTaskId } from '../../../functions/platform/domain/ids.ts';
import { accountsIn } from '../../support/audit.ts';
import { readUpload, send as sendFile } from '../../support/files.ts';
import { readUploadUrl, sendCommand, startUpload } from '../../support/google-uploads.ts';
import { call, createVideo, HELD_BACK, MODEL, readId, waitFor } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import * as images from '../../support/images/requests.ts';
import { dataUri, file, PNG } from '../../support/images.ts';
import { putVideo } from '../../support/library-items.ts';
import { callTool } from '../../support/mcp.ts';
import { openBrowser } from '../../support/provider-sign-in.ts';
import { wholeMp4 } from '../../support/sample-video.ts';
import { startServer } from '../../support/server.ts';
import { signIn, signInPerson } from '../../support/sessions.ts';
import { putFile, removeFile } from '../../support/stored-files.ts';
import { until } from '../../support/until.ts';
import { service as observed, provider, TOURIST } from './service.ts';

const service = { ...observed, apiKey: await observed.issueKey(TOURIST) };

type Request = readonly [method: string, path: string, json?: object];
type Sender = (...request: Request) => Promise<{ readonly status: number }>;

/** Each of them must be answered with 200. */
const expectAllOk = async (send: Sender, requests: readonly Request[]): Promise<void> => {
  for (const [method, path, json] of requests)
    assert.equal((await send(method, path, json)).status, 200, `${method} ${path}`);
};

const send: Sender = (method, path, json) => call(service, method, path, { json });
const expectOk = (...request: Request): Promise<void> => expectAllOk(send, [request]);

/** Signs in with the provider, and has the person confirmed again. */
const signInWithProvider = async (): Promise<void> => {
  provider.allow(service.baseUrl);
  provider.setPerson({ id: 'ada' });
  provider.signInAs('ada');
  const browser = openBrowser(service.baseUrl);
  assert.equal(await browser.signIn(), '/console/');
  const id = String((await browser.call('GET', '/v1/console/session')).body.id);
  await setPast(service.sessionsTable, { id: { S: id } }, 'checkUntil');
  await expectAllOk(browser.call, [
    ['POST', '/v1/console/session/renew', {}],
    ['POST', '/v1/console/session/switch', { project_id: TOURIST }],
  ]);
};

const createWithImage = async (prompt: string): Promise<string> => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: MODEL, prompt, seconds: '4' }))
    form.append(name, value);
  form.append('input_reference', file(PNG, 'a.png', 'image/png'));
  return readId(await call(service, 'POST', '/v1/videos', { body: form }));
};

const tasks = () => new DynamoDBClient(service.cloud.clientConfig('operator'));

/** Moves times of an item into the past. */
const setPast = (TableName: string, Key: Record<string, { S: string }>, ...names: readonly string[]) => {
  const UpdateExpression = `SET ${names.map((name) => `${name} = :past`).join(', ')}`;
  const ExpressionAttributeValues = { ':past': { N: '1' } };
  return tasks().send(new UpdateItemCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
};

/** A task whose work should have happened long ago, as after a crash. */
const makeOverdue = (id: string) =>
  setPast(service.cloud.tableName('TasksTable'), { id: { S: id } }, 'due_at');

/** A task that waits because the upstream has put it off, or another one just before. */
const createPutOff = async (prompt: string): Promise<string> => {
  const id = await createWithImage(`${prompt} ${HELD_BACK}`);
  const get = { TableName: service.cloud.tableName('TasksTable'), Key: { id: { S: id } } };
  await until(async () => {
    const { Item } = await tasks().send(new GetItemCommand(get));
    return Number(Item?.step?.N) > 0 && Item?.task?.M?.work?.M?.kind?.S === 'submit';
  }, 100);
  return id;
};

/** Everything that a person does in the console. */
const visitConsole = async (): Promise<void> => {
  const session = await signIn(service, TOURIST);
  const keys = `/v1/organization/projects/${TOURIST}/api_keys`;
  const { body: key } = await session.call('POST', keys, { name: 'visit' });
  await expectAllOk(session.call, [
    ['POST', `/v1/organization/projects/${TOURIST}/service_accounts/${TOURIST}/api_keys`, {}],
    ['GET', keys],
    ['POST', `${keys}/${key.id}`, { name: 'renamed' }],
    ['DELETE', `${keys}/${key.id}`],
    ['GET', '/v1/console/session'],
    ['GET', '/v1/console/sessions'],
    ['POST', '/v1/console/links'],
    ['GET', '/v1/models'],
    ['GET', '/v1/organization/costs?start_time=0'],
    ['GET', '/v1/organization/usage/videos?start_time=0'],
    ['GET', '/v1/organization/usage/images?start_time=0'],
    ['GET', '/v1/organization/charges'],
    ['GET', '/v1/organization/audit_logs'],
    ['GET', `/v1/organization/projects/${TOURIST}/rate_limits`],
    ['GET', `/v1/organization/projects/${TOURIST}/storage_limit`],
    ['POST', `/v1/organization/projects/${TOURIST}/storage_limit`, { limit_megabytes: 100 }],
    ['DELETE', '/v1/console/sessions/all'],
  ]);
  const unlimited = await (await signIn(service, TOURIST)).call(
    'GET',
    `/v1/organization/projects/${TOURIST}/spend_limit`,
  );
  assert.equal(unlimited.status, 404);
};

/** One person with a key becomes a viewer, another is removed. */
const managePeople = async (): Promise<void> => {
  const users = `/v1/organization/projects/${TOURIST}/users`;
  const keys = `/v1/organization/projects/${TOURIST}/api_keys`;
  const invites = '/v1/organization/invites';
  const admin = await signInPerson(service, TOURIST, 'admin');
  const ada = await signInPerson(service, TOURIST, 'member');
  const bob = await signInPerson(service, TOURIST, 'member');
  for (const { call: by } of [ada, bob]) {
    const { body: revoked } = await by('POST', keys, { name: 'revoked' });
    await expectAllOk(by, [
      ['DELETE', `${keys}/${revoked.id}`],
      ['POST', keys, { name: 'mine' }],
    ]);
  }
  const invitation = { role: 'viewer', email: 'ada@example.com' };
  await expectAllOk(admin.call, [['POST', invites, invitation]]);
  const { body } = await admin.call('POST', invites, invitation);
  const leaver = await signInPerson(service, TOURIST, 'admin');
  const demoted = await signInPerson(service, TOURIST, 'admin');
  for (const { call: by } of [leaver, demoted]) await expectAllOk(by, [['POST', invites, { role: 'admin' }]]);
  await expectAllOk(admin.call, [
    ['GET', users],
    ['GET', `${users}/${ada.person.id}`],
    ['GET', keys],
    ['POST', `${users}/${ada.person.id}`, { role: 'viewer', keys: 'revoke' }],
    ['POST', `${users}/${demoted.person.id}`, { role: 'member' }],
    ['DELETE', `${users}/${bob.person.id}?keys=transfer`],
    ['DELETE', `${users}/${leaver.person.id}`],
    ['GET', invites],
    ['GET', `${invites}/${body.id}`],
    ['DELETE', `${invites}/${body.id}`],
  ]);
};

/** Downloads by the signed address, which has the rights of the function that made it. */
const follow = async (path: string): Promise<void> => {
  const { status, headers } = await call(service, 'GET', path);
  assert.equal(status, 302, path);
  const download = await fetch(headers.get('location') ?? '');
  assert.equal(download.status, 200, path);
  await download.arrayBuffer();
};

/** A file by form, one by signed address, and one that is past its time when the clean-up comes. */
const useFiles = async (): Promise<void> => {
  const form = new FormData();
  form.append('purpose', 'vision');
  form.append('file', file(PNG, 'a.png', 'image/png'));
  const stored = readId(await call(service, 'POST', '/v1/files', { body: form }));
  const json = { filename: 'b.png', bytes: PNG.length, mime_type: 'image/png', purpose: 'vision' };
  const offered = await call(service, 'POST', '/v1/files', { json });
  assert.deepEqual(await sendFile(readUpload(offered.body), PNG), [200, undefined]);
  const path = `/v1/files/${readId(offered)}`;
  await expectOk('GET', '/v1/files');
  await expectOk('GET', path);
  await follow(`${path}/content`);
  const preview = await fetch(`${service.baseUrl}${path}/preview`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  assert.deepEqual([preview.status, preview.headers.get('content-type')], [200, 'image/webp']);
  await preview.arrayBuffer();
  await expectOk('DELETE', path);
  await useNativeFiles();
  const key = { account: { S: TOURIST }, id: { S: stored } };
  await setPast(service.cloud.tableName('FilesTable'), key, 'due_at', 'expiresAt');
};

const useNativeFiles = async (): Promise<void> => {
  const url = readUploadUrl(await startUpload(service, PNG.length));
  await sendCommand(url, 'upload', { bytes: PNG.subarray(0, 20) });
  const last = { bytes: PNG.subarray(20), offset: 20 };
  const { body } = await sendCommand(url, 'upload, finalize', last);
  const path = `/v1beta/${Object(body.file).name}`;
  await expectAllOk(send, [
    ['GET', '/v1beta/files'],
    ['GET', path],
    ['DELETE', path],
  ]);
};

/** A file in every place that takes one; its task finds it where removed files are. */
const makeFromFiles = async (): Promise<void> => {
  const id = await putFile(service, TOURIST, PNG);
  const post = (path: string, body: object) =>
    images.post(service, path, images.bearer(service.apiKey), body);
  const content = [{ type: 'image_url', image_url: { url: id } }];
  const answers = [
    await post(images.NATIVE, { contents: [{ parts: [{ fileData: { fileUri: id } }] }] }),
    await post(images.VERTEX, { contents: [{ parts: [{ fileData: { fileUri: id } }] }] }),
    await post(images.CHAT, { model: IMAGE_MODEL, messages: [{ role: 'user', content }] }),
    await post(images.EDITS, { ...images.generationBody('a harbour'), image: { file_id: id } }),
    await post('/v1/videos', {
      model: MODEL,
      prompt: 'a harbour [sample: error 429 retry 2s]',
      seconds: 4,
      input_reference: { file_id: id },
    }),
  ];
  await follow(`/v1/videos/${answers.at(-1)?.body.id}/inputs/0`);
  await removeFile(service, TOURIST, id);
  for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await waitFor(service, answers.at(-1)?.body.id)).body.status, 'completed');
};

/** In every format: an image, the same again by its key, one that fails, and a signed address. */
const makeImages = async (): Promise<void> => {
  for (const [path, headers, toBody] of [
    [images.NATIVE, images.vendor(service.apiKey), images.nativeBody],
    [images.VERTEX, images.vendor(service.apiKey), images.nativeBody],
    [images.IMAGEN, images.vendor(service.apiKey), images.imagenBody],
    [images.CHAT, images.bearer(service.apiKey), images.chatBody],
    [images.GENERATIONS, images.bearer(service.apiKey), images.generationBody],
    [images.EDITS, images.bearer(service.apiKey), images.editBody],
  ] as const) {
    const make = (prompt: string, key: string) =>
      images.post(service, path, { ...headers, 'idempotency-key': `${path} ${key}` }, toBody(prompt));
    assert.equal((await make('a harbour', 'once')).status, 200);
    assert.equal((await make('a harbour', 'once')).status, 200);
    assert.equal((await make('a harbour [sample: blocked]', 'blocked')).status, 400);
  }
  const json = { ...images.generationBody('a harbour'), response_format: 'url' };
  const { body } = await images.post(service, images.GENERATIONS, images.bearer(service.apiKey), json);
  assert.equal((await fetch(body.data[0].url)).status, 200);
};

/** An image of a response, the next turn that edits it, and both again as they are stored. */
const useResponses = async (): Promise<void> => {
  const respond = async (turn: object): Promise<string> => {
    const json = { model: IMAGE_MODEL, input: 'a harbour', ...turn };
    const { status, body } = await images.post(service, '/v1/responses', images.bearer(service.apiKey), json);
    assert.equal(status, 200, JSON.stringify(body.error));
    return `/v1/responses/${body.id}`;
  };
  const first = await respond({});
  const next = await respond({ previous_response_id: first.split('/')[3] });
  await expectOk('GET', next);
  for (const path of [first, next]) await expectOk('DELETE', path);
};

const useWebhooks = async (): Promise<void> => {
  const receiver = await startServer((_request, response) => response.end());
  const all = '/v1/webhook_endpoints';
  const json = { name: 'Hook', url: receiver.url, event_types: ['video.failed'] };
  const one = `${all}/${readId(await call(service, 'POST', all, { json }))}`;
  await waitFor(service, await createVideo(service, 'refused [sample: error 400]'));
  const deliveries = async () => JSON.stringify((await call(service, 'GET', `${one}/deliveries`)).body);
  await until(async () => (await deliveries()).includes('"delivered"'), 100);
  const [delivery] = /wd_\w+/.exec(await deliveries()) ?? [];
  await expectAllOk(send, [
    ['GET', all],
    ['GET', one],
    ['GET', '/v1/webhook_event_types'],
    ['POST', `${one}/test`, { event_type: 'video.failed' }],
    ['POST', `${one}/deliveries/${delivery}/resend`],
    ['POST', `${one}/rotate_secret`, { keep_old_secret_active_for_24_hours: true }],
    ['POST', one, { name: 'Other' }],
    ['DELETE', one],
  ]);
  await receiver.close();
};

/** Renames the video, and keeps and releases it. */
const useLibrary = async (videoId: string): Promise<void> => {
  for (const json of [{ name: 'boat' }, { kept: true }, { kept: false }])
    await expectOk('POST', `/v1/library/${videoId}`, json);
  const json = { name: 'Boats', item_ids: [videoId] };
  const path = `/v1/collections/${readId(await call(service, 'POST', '/v1/collections', { json }))}`;
  await expectOk('POST', path, { name: 'Ships' });
  const { body } = await call(service, 'POST', '/v1/shares', { json: { collection_id: path.split('/')[3] } });
  assert.equal((await fetch(String(body.url))).status, 200);
  await expectOk('GET', '/v1/collections');
  await expectOk('DELETE', path);
};

const useShares = async (videoId: string): Promise<void> => {
  const { body } = await call(service, 'POST', '/v1/shares', { json: { video_id: videoId } });
  assert.equal((await fetch(String(body.url))).status, 200);
  assert.equal((await fetch(`${body.url}/content`)).status, 200);
  await expectOk('GET', '/v1/shares');
  await expectOk('DELETE', `/v1/shares/${body.id}`);
};

/** Every tool of agents, with an image that is uploaded, used, edited and shared. */
const useTools = async (): Promise<void> => {
  const use = async (tool: string, given: Readonly<Record<string, unknown>> = {}) => {
    const { isError, text, fields } = await callTool(service, tool, given);
    assert.equal(isError, false, `${tool}: ${text}`);
    return fields;
  };
  for (const tool of ['list_models', 'get_budget', 'list_videos', 'list_images']) await use(tool);
  await use('estimate_price', { kind: 'video', model: MODEL, seconds: 4 });
  const terms = { filename: 'a.png', mime_type: 'image/png', bytes: PNG.length };
  const { file_id, upload_url: url, method, headers } = await use('create_upload', terms);
  assert.deepEqual(await sendFile(readUpload({ upload: { url, method, headers } }), PNG), [200, undefined]);
  const video = { model: MODEL, seconds: 4, first_frame_file_id: file_id };
  const { video_id } = await use('create_video', { ...video, prompt: 'a harbour for an agent' });
  const finished = await use('get_video', { video_id, wait_seconds: 40 });
  assert.equal((await fetch(String(finished.url))).status, 200);
  const order = { prompt: 'a boat for an agent', image_file_ids: [file_id] };
  const { images } = await use('generate_image', order);
  const [image] = Object(images);
  assert.equal((await fetch(String((await use('get_image', { file_id: image.file_id })).url))).status, 200);
  await use('create_share_link', { file_id: image.file_id });
  const held = await use('create_video', { ...video, prompt: `${HELD_BACK} for an agent` });
  const cancel = () => callTool(service, 'cancel_video', { video_id: held.video_id });
  await until(async () => !(await cancel()).isError, 100);
};

/** Reservations of requests that died: a retry takes over one of them, the sweeper the others. */
const limitAndOrphan = async (): Promise<void> => {
  const tables = {
    ACCOUNT_TABLE: service.cloud.tableName('AccountsTable'),
    RESERVATION_TABLE: service.cloud.tableName('ReservationsTable'),
  };
  const limits = { monthlyBudget: undefined, videosAtOnce: 100, createsPerMinute: undefined };
  await accountsIn(tasks(), tables.ACCOUNT_TABLE, service.cloud.tableName('AuditTable')).set(TOURIST, {
    videosAtOnce: 100,
  });
  const reserve = (taskId: string, kind: 'videos' | 'images', at: number) =>
    dynamoReservations(tasks(), tables).reserve(
      {
        id: taskId,
        taskId,
        kind,
        at,
        account: TOURIST,
        keyId: `key_${hashKey(service.apiKey).slice(0, 16)}`,
        countsForKey: false,
        month: toUtcMonth(Date.now()),
        amount: '1.60',
      },
      { limits, keyBudget: undefined },
      { outdated: [] },
    );
  await reserve(derivedTaskId(TOURIST, 'again'), 'videos', Date.now());
  const json = { model: MODEL, prompt: HELD_BACK, seconds: 4 };
  const again = await call(service, 'POST', '/v1/videos', { json, headers: { 'idempotency-key': 'again' } });
  assert.equal(again.status, 200);
  await reserve('died as an image', 'images', 1);
  await reserve('died as a video', 'videos', 1);
};

/** A task in line tells its position, and is cancelled before it is called. */
const waitInLine = async (): Promise<void> => {
  const id = await putVideo(service, TOURIST, {
    prompt: 'in line',
    createdAt: Date.now(),
    change: {
      status: 'queued',
      work: { kind: 'wait', dueAt: Date.now() + 3_600_000 },
      ticket: 1,
      openSubmits: 0,
      waitsFor: 'upstream',
      failedAt: undefined,
      error: undefined,
    },
  });
  const { body } = await call(service, 'GET', `/v1/videos/${id}?include[]=queue`);
  assert.deepEqual(body.queue, { reason: 'upstream_limit', position: 1, retry_at: null });
  await expectOk('DELETE', `/v1/videos/${id}`);
};

/** A video of 40 MB by its signed address, and one that is small enough for the response. */
const useVertexPaths = async (largeId: string, image: object): Promise<void> => {
  const models = '/v1/publishers/google/models';
  await expectOk('GET', models);
  await expectOk('POST', `${models}/${MODEL}:predictLongRunning`, {
    instances: [{ prompt: HELD_BACK, image }],
  });
  const bytes = wholeMp4();
  const smallId = await putVideo(service, TOURIST, { prompt: 'small', createdAt: Date.now(), bytes });
  const fetchVideo = async (operationName: string) => {
    const json = { operationName };
    const { body } = await call(service, 'POST', `${models}/${MODEL}:fetchPredictOperation`, { json });
    return Object(body.response).videos[0];
  };
  const download = await fetch((await fetchVideo(largeId)).gcsUri);
  assert.equal((await download.arrayBuffer()).byteLength, 40_000_000);
  const { bytesBase64Encoded } = await fetchVideo(smallId);
  assert.ok(Buffer.from(bytesBase64Encoded, 'base64').equals(bytes));
};

/** The status of a finished video has an address that it signed. */
const useOpenRouterForm = async (): Promise<void> => {
  const video = { prompt: 'routed', createdAt: Date.now(), bytes: wholeMp4() };
  const id = await putVideo(service, TOURIST, { ...video, change: { form: 'openrouter' } });
  const { body } = await call(service, 'GET', `/v1/videos/${id}`);
  const [url] = Object(body.unsigned_urls);
  assert.equal((await fetch(String(url))).status, 200);
};

/** Everything that the service does, once: each function must have had its turn. */
export const tour = async (): Promise<void> => {
  await limitAndOrphan();
  await waitInLine();
  const overdue = await createPutOff('overdue');
  const undeliverable = await createPutOff('undeliverable');
  const [cancelled, deleted] = [await createPutOff('cancelled'), await createPutOff('deleted')];
  await expectOk('POST', `/v1/videos/${cancelled}/cancel`);
  await expectOk('DELETE', `/v1/videos/${deleted}`);
  const done = await createWithImage('a quiet harbour [sample: size 40MB, file truncated]');
  const failed = await createVideo(service, 'refused [sample: error 400]');
  const generation = await call(service, 'POST', '/v1/video/generations', {
    json: { model: MODEL, prompt: 'refused [sample: error 400]', image: dataUri(PNG, 'image/png') },
  });
  await Promise.all([done, failed, readId(generation)].map((id) => waitFor(service, id)));
  for (const path of ['videos', `videos/${done}`, `video/generations/${done}`, 'models', `models/${MODEL}`])
    await expectOk('GET', `/v1/${path}`);
  for (const path of ['models', `models/${MODEL}`]) await expectOk('GET', `/v1beta/${path}`);
  await follow(`/v1/videos/${done}/content`);
  await follow(`/v1/videos/${done}/inputs/0`);
  await call(service, 'POST', `/v1/videos/${done}/remix`);
  await useLibrary(done);
  await useShares(done);
  const image = { bytesBase64Encoded: PNG.toString('base64') };
  const operation = await call(service, 'POST', `/v1beta/models/${MODEL}:predictLongRunning`, {
    json: { instances: [{ prompt: HELD_BACK, image }], parameters: { durationSeconds: 4 } },
  });
  await expectOk('GET', `/v1beta/${operation.body.name}`);
  await useVertexPaths(done, image);
  await useOpenRouterForm();
  const file = `/v1beta/files/${done.slice('task_'.length)}:download?alt=media`;
  await follow(file);
  await expectOk('DELETE', `/v1/videos/${done}`);

  await makeImages();
  await useResponses();
  await useFiles();
  await makeFromFiles();
  await useWebhooks();
  await useTools();
  await visitConsole();
  await signInWithProvider();
  await managePeople();
  await makeOverdue(overdue);
  await service.cloud.runSchedule('EveryMinute');
  await service.cloud.runSchedule('EveryHour');
  await service.cloud.runSchedule('EveryDay');
  const sqs = new SQSClient(service.cloud.clientConfig('operator'));
  const MessageBody = JSON.stringify({ taskId: undeliverable, step: 2 });
  await sqs.send(
    new SendMessageCommand({ QueueUrl: service.cloud.queueUrl('StepsDeadLetters'), MessageBody }),
  );
  await waitFor(service, undeliverable, ['failed']);
};
