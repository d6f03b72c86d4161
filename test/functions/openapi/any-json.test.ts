import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readUpload } from '../../../functions/files/api/create-file.ts';
import { fileObjectWithUpload } from '../../../functions/files/api/file-object.ts';
import { requireUsableSize } from '../../../functions/files/domain/files.ts';
import { createUpload } from '../../../functions/files/usecases/manage-files.ts';
import { readJsonBody, readOptionalJson } from '../../../functions/platform/body/json-body.ts';
import { parseBody } from '../../../functions/platform/body/parse.ts';
import { DomainError } from '../../../functions/platform/domain/errors.ts';
import { endpointObject, endpointWithSecret } from '../../../functions/webhooks/api/webhook-object.ts';
import { endpointChangeSchema, rotationSchema } from '../../../functions/webhooks/api/webhook-schema.ts';
import { toSecretHint } from '../../../functions/webhooks/domain/webhook-signature.ts';
import { rotateSecret, updateEndpoint } from '../../../functions/webhooks/usecases/manage-webhooks.ts';
import { anAction } from '../../support/audit.ts';
import { aWebhookEndpoint } from '../../support/builders/webhook.ts';
import { orRefusal, videoCreator } from '../../support/create-in-memory.ts';
import { MODEL } from '../../support/http.ts';
import { MemoryFiles, memoryFileStore } from '../../support/in-memory/files.ts';
import { nodeAt, schemaPath } from './support/document.ts';

const JSON_TYPE = 'application/json';
const VALUES = [{}, [], '', '8', 4, true, '16:9', '4k', 'https://[::1]', 'https://a.example/漢 🦊', '\u0000'];

/** Any JSON value at all, or an object that is nearly a request: the second finds the deeper faults. */
const nearly = (base: object, schema: string) => {
  const names = [...Object.keys(nodeAt(...schemaPath(schema), 'properties')), '__proto__'];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...VALUES, ...Object.values(base)));
  const fields = fc.dictionary(fc.constantFrom(...names), value);
  return fc.oneof(
    fc.jsonValue(),
    fields.map((given) => ({ ...base, ...given })),
  );
};

const FILE = { filename: 'a.png', bytes: 9, mime_type: 'image/png', purpose: 'vision' };
const files = {
  files: new MemoryFiles(),
  store: memoryFileStore(new Set()),
  logger: { info: () => {}, error: () => {} },
  now: Date.now,
  storageBytes: 1e12,
  retentionSeconds: 3600,
};

const upload = async (text: string) => {
  const { terms, sha256 } = readUpload(readJsonBody(text));
  requireUsableSize(terms.bytes, 20, 'bytes');
  const { file, upload } = await createUpload(files, { account: 'acme' }, terms, sha256);
  return fileObjectWithUpload(file, upload);
};

const { secret, oldSecret, ...rest } = aWebhookEndpoint();
const endpoint = { ...rest, secretHint: toSecretHint(secret) };
const endpoints = { describe: async () => endpoint, change: async () => true, rotate: async () => true };
const action = anAction(endpoint.account, Date.now());

const changeEndpoint = async (text: string) => {
  const given = parseBody(endpointChangeSchema, readOptionalJson(JSON_TYPE, text));
  const wanted = { name: given.name, url: given.url, eventTypes: given.event_types };
  return endpointObject(await updateEndpoint(endpoints, action, endpoint.id, wanted));
};

const changeSecret = async (text: string) => {
  const given = parseBody(rotationSchema, readOptionalJson(JSON_TYPE, text));
  const keepsOld = given.keep_old_secret_active_for_24_hours ?? false;
  const rotated = await rotateSecret(endpoints, action, endpoint.id, keepsOld);
  return endpointWithSecret(rotated.endpoint, rotated.secret);
};

const HOOK = { name: 'Hook', url: 'https://hooks.example.com', event_types: ['video.failed'] };
const create = videoCreator();

for (const [title, bodies, act, statuses] of [
  [
    'makes a video',
    nearly({ model: MODEL, prompt: 'a' }, 'CreateVideo'),
    (body: string) => create({ body, headers: { 'content-type': JSON_TYPE } }),
    [400, 404],
  ],
  ['starts an upload', nearly(FILE, 'CreateUpload'), (text: string) => orRefusal(upload(text)), [400]],
  [
    'changes a webhook endpoint',
    nearly(HOOK, 'WebhookEndpointChange'),
    (text: string) => orRefusal(changeEndpoint(text)),
    [400],
  ],
  [
    'rotates the secret of a webhook endpoint',
    nearly({ keep_old_secret_active_for_24_hours: true }, 'WebhookSecretRotation'),
    (text: string) => orRefusal(changeSecret(text)),
    [400],
  ],
] as const)
  test(`any JSON value ${title} or is refused`, async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (json) => {
        const made = await act(JSON.stringify(json));
        if (!(made instanceof DomainError)) accepted += 1;
        else {
          assert.ok(
            statuses.some((status) => status === made.rule.http),
            JSON.stringify(json),
          );
          assert.equal(made.rule.type, 'invalid_request_error');
        }
      }),
      { numRuns: 300, seed: 20_261_115 },
    );
    assert.ok(accepted > 0);
  });
