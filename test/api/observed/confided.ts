import assert from 'node:assert/strict';
import { after } from 'node:test';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { gatewayEvent } from '../../support/functions-in-process.ts';
import { readUploadUrl, sendCommand, startUpload } from '../../support/google-uploads.ts';
import { call, HELD_BACK, MODEL, readId, waitFor } from '../../support/http.ts';
import { bearer, CHAT, chatBody, NATIVE, nativeBody, post, vendor } from '../../support/images/requests.ts';
import { dataUri, file, png } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { answer, service as observed } from './service.ts';

/** The account whose secrets must appear in no log. */
export const CONFIDANT = 'confidant';

const service = { ...observed, apiKey: await observed.issueKey(CONFIDANT) };

/** Words that must appear nowhere: what a client sends in confidence, and what nobody may hold. */
const WORDS = {
  prompt: 'quillwort',
  negativePrompt: 'bladderfern',
  systemInstruction: 'moonseed',
  echoed: 'toadflax',
  malformed: 'hellebore',
  fileName: 'spikenard',
  query: 'sneezeweed',
  idempotencyKey: 'stonecrop',
  message: 'figwort',
  webhook: 'bugbane',
};
const PICTURE = png(33, 19);
const WRONG_KEY = 'sk-bogbean-bogbean-bogbean-bogbean';

/** Secrets that no log line may contain, by name; secrets that the service issues are added. */
const newSecrets = (): Map<string, string> =>
  new Map([
    ...Object.entries(WORDS),
    ['API key', service.apiKey],
    ['wrong key', WRONG_KEY],
    ['picture', PICTURE.toString('base64').slice(0, 40)],
    ['upstream key', 'upstream-key-for-tests'],
  ]);

const videoForm = (prompt: string): FormData => {
  const form = new FormData();
  const fields = { model: MODEL, prompt, seconds: '4', negativePrompt: WORDS.negativePrompt };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('input_reference', file(PICTURE, `${WORDS.fileName}.png`, 'image/png'));
  return form;
};

const create = async (wish = ''): Promise<string> => {
  const body = videoForm(`A ${WORDS.prompt} ${wish}`);
  const headers = { 'idempotency-key': `${WORDS.idempotencyKey} ${wish}` };
  return readId(await call(service, 'POST', '/v1/videos', { body, headers }));
};

type BrokenRequest = { readonly path?: Record<string, string>; readonly json?: object };

/** Sends a request to the broken copy of a function. */
const callBroken = async (name: string, { path = {}, json }: BrokenRequest) => {
  const event = gatewayEvent({
    method: json === undefined ? 'GET' : 'POST',
    path,
    headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
    body: json && JSON.stringify(json),
  });
  return answer(`Broken${name}`, event);
};

/** The queue refuses the task, so that the sweeper must start it. */
const driveSweeper = async (): Promise<void> => {
  const { body } = await callBroken('CreateVideo', {
    json: {
      model: MODEL,
      prompt: `A ${WORDS.prompt} ${ECHO}`,
      negativePrompt: WORDS.negativePrompt,
      input_reference: dataUri(PICTURE, 'image/png'),
    },
  });
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(body));
  await until(async () => {
    await service.cloud.runSchedule('EveryMinute');
    return (await call(service, 'GET', `/v1/videos/${id}`)).body.status === 'failed';
  }, 1000);
};

/** Endpoints that take events, that are gone, and that nobody answers for; all are told of the videos. */
const driveWebhooks = async (secrets: Map<string, string>): Promise<void> => {
  const endpoints = '/v1/webhook_endpoints';
  const statuses: Readonly<Record<string, number>> = { '/taken': 204, '/gone': 410 };
  const receiver = await startServer(({ url = '' }, response) => {
    response.writeHead(statuses[url] ?? 500).end(WORDS.webhook);
  });
  after(() => receiver.close());
  for (const url of [
    `${receiver.url}/taken`,
    `${receiver.url}/gone`,
    `http://127.0.0.1:9/${WORDS.webhook}`,
  ]) {
    const json = { name: 'a hook', url, event_types: ['video.completed', 'video.failed'] };
    const made = await call(service, 'POST', endpoints, { json });
    const path = `${endpoints}/${readId(made)}`;
    const rotated = await call(service, 'POST', `${path}/rotate_secret`, {
      json: { keep_old_secret_active_for_24_hours: true },
    });
    for (const [title, { body }] of Object.entries({ 'first secret': made, 'second secret': rotated }))
      secrets.set(`${title} of ${url}`, String(body.signing_secret).slice('whsec_'.length, -6));
    assert.equal((await call(service, 'POST', path, { json: { name: 'another name' } })).status, 200);
    assert.equal((await call(service, 'POST', path, { json: { url: WORDS.webhook } })).status, 400);
    for (const listed of [endpoints, path, `${path}/deliveries`])
      assert.equal((await call(service, 'GET', listed)).status, 200);
  }
};

const ECHO = `[sample: nonsense ${WORDS.echoed}]`;

const driveVideos = async (secrets: Map<string, string>): Promise<void> => {
  const wishes = ['', '[sample: filtered]', '[sample: error 403]', '[sample: file truncated]'];
  const ids = await Array.fromAsync(wishes, create);
  await Promise.all([driveSweeper(), ...ids.map((id) => waitFor(service, id))]);
  const [done = ''] = ids;
  const { headers } = await call(service, 'GET', `/v1/videos/${done}/content?x=${WORDS.query}`);
  const location = new URL(headers.get('location') ?? '');
  for (const name of ['X-Amz-Signature', 'X-Amz-Credential'])
    secrets.set(name, location.searchParams.get(name) ?? assert.fail(name));
  assert.equal((await call(service, 'GET', '/v1/videos')).status, 200);
  await driveShares(secrets, done);
  assert.equal((await call(service, 'DELETE', `/v1/videos/${done}`)).status, 200);
  assert.equal((await callBroken('GetGeneration', { path: { task_id: done } })).statusCode, 500);
};

/** The token of a link is a secret, whether the link works or not. */
const driveShares = async (secrets: Map<string, string>, videoId: string): Promise<void> => {
  const { body } = await call(service, 'POST', '/v1/shares', { json: { video_id: videoId } });
  const url = String(body.url);
  secrets.set('token of a share', url.slice(-32));
  const statuses = async () => {
    const answers = await Promise.all([fetch(url), fetch(`${url}/content`)]);
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [200, 200]);
  assert.equal((await call(service, 'DELETE', `/v1/shares/${body.id}`)).status, 200);
  assert.deepEqual(await statuses(), [404, 404]);
};

const driveRefusals = async (): Promise<void> => {
  const json = { 'content-type': 'application/json' };
  const bodies = [
    `{"model":"${MODEL}","prompt":${WORDS.malformed}`,
    JSON.stringify({ model: MODEL, prompt: WORDS.malformed.repeat(5000) }),
    JSON.stringify({
      model: MODEL,
      prompt: 'x',
      input_reference: `data:image/png;base64,${WORDS.malformed}`,
    }),
  ];
  for (const body of bodies)
    assert.equal((await call(service, 'POST', '/v1/videos', { body, headers: json })).status, 400);
  assert.equal((await call(service, 'GET', '/v1/videos', { key: WRONG_KEY })).status, 401);
  assert.equal((await call(service, 'GET', `/v1/nowhere?q=${WORDS.query}`)).status, 404);
};

/** The key in the query, on what answers, what refuses and what is not there. */
const driveQueryKeys = async (): Promise<void> => {
  const routes = [
    'models',
    'models/none',
    'nothing',
    'files/none:download',
    'operations/none',
    NATIVE.slice(8),
  ];
  for (const key of [service.apiKey, WRONG_KEY])
    for (const route of routes)
      for (const method of ['GET', 'POST']) {
        const path = `/v1beta/${route}?key=${key}&x=${WORDS.query}`;
        const { body } = await call(service, method, path, { key: '' });
        assert.ok(!JSON.stringify(body).includes(key), path);
      }
};

/** The URL of an upload is a secret, also when it is wrong or refused. */
const driveUploads = async (secrets: Map<string, string>): Promise<void> => {
  const url = readUploadUrl(await startUpload(service, PICTURE.length));
  const id = new URL(url).searchParams.get('upload_id') ?? assert.fail();
  secrets.set('secret of the upload', id.split('.')[1] ?? assert.fail());
  const headers = { 'x-goog-upload-file-name': WORDS.fileName };
  assert.equal((await sendCommand(url, WORDS.malformed)).status, 400);
  assert.equal((await sendCommand(url, 'upload', { bytes: PICTURE, offset: 1 })).status, 400);
  assert.equal((await sendCommand(url.replace(/\.[^.]*$/, '.x'), 'query')).status, 404);
  assert.equal((await sendCommand(url, 'upload, finalize', { bytes: PICTURE, headers })).status, 200);
};

const driveImages = async (): Promise<void> => {
  const prompts: readonly (readonly [wish: string, status: number])[] = [
    ['', 200],
    ['[sample: delay 1s]', 200],
    ['[sample: blocked]', 400],
    ['[sample: text only]', 400],
    ['[sample: error 403]', 503],
    ['[sample: reset always]', 503],
    [ECHO, 400],
  ];
  for (const [wish, status] of prompts) {
    const body = nativeBody(`A ${WORDS.prompt} ${wish}`);
    const instructed = { ...body, systemInstruction: { parts: [{ text: WORDS.systemInstruction }] } };
    const answer = await post(service, NATIVE, vendor(service.apiKey), instructed);
    assert.equal(answer.status, status, wish);
  }
  const [, modelAction = ''] = NATIVE.split('/v1beta/models/');
  const uncharged = { path: { modelAction }, json: nativeBody(WORDS.prompt) };
  assert.equal((await callBroken('GenerateContent', uncharged)).statusCode, 503);
  for (const wish of ['', ECHO]) {
    const { messages, ...chat } = chatBody('');
    const content = [
      { type: 'text', text: `${WORDS.prompt} ${wish}` },
      { type: 'image_url', image_url: { url: dataUri(PICTURE, 'image/png') } },
    ];
    const system = { role: 'system', content: WORDS.systemInstruction };
    const body = JSON.stringify({ ...chat, stream: true, messages: [system, { role: 'user', content }] });
    const headers = { 'content-type': 'application/json', ...bearer(service.apiKey) };
    const response = await fetch(`${service.baseUrl}${CHAT}`, { method: 'POST', headers, body });
    assert.match(await response.text(), /\[DONE\]/);
  }
};

/** A message that cannot be read, and one whose task fails for it. */
const driveDeadLetters = async (): Promise<void> => {
  const sqs = new SQSClient(service.cloud.clientConfig('operator'));
  const QueueUrl = service.cloud.queueUrl('StepsDeadLetters');
  const waiting = await create(HELD_BACK);
  const earlier = service.logs().length;
  for (const MessageBody of [WORDS.message, JSON.stringify({ taskId: waiting, step: 0 })])
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const isWritten = (event: string) =>
    service
      .logs()
      .slice(earlier)
      .some((line) => line.includes(`"${event}"`));
  await until(() => ['dead letter', 'message failed'].every(isWritten));
};

/** Leads the service through success, failure, refusals and faults, and returns what it must not have written. */
export const drive = async (): Promise<Map<string, string>> => {
  const secrets = newSecrets();
  // Before the videos, so that it is told of them.
  await driveWebhooks(secrets);
  await Promise.all([
    driveVideos(secrets),
    driveUploads(secrets),
    driveRefusals(),
    driveImages(),
    driveQueryKeys(),
  ]);
  await driveDeadLetters();
  return secrets;
};
