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
import { anyFile, anyVideo, anyWebhookChange } from '../../support/any-bodies.ts';
import { anAction } from '../../support/audit.ts';
import { aWebhookEndpoint } from '../../support/builders/webhook.ts';
import { orRefusal, videoCreator } from '../../support/create-in-memory.ts';
import { MemoryFiles, memoryFileStore } from '../../support/in-memory/files.ts';

const JSON_TYPE = 'application/json';
const SEED = 20_261_115;
const REQUEST_MEGABYTES = 20;

const assertRefusal = ({ row }: DomainError, json: unknown): void => {
  assert.equal(row.http, 400, JSON.stringify(json));
  assert.equal(row.type, 'invalid_request_error');
};

test('any JSON value makes a video or is refused with 4xx', async () => {
  const create = videoCreator();
  const headers = { 'content-type': JSON_TYPE };
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(anyVideo, async (json) => {
      const made = await create({ body: JSON.stringify(json), headers });
      if (made instanceof DomainError) {
        assert.ok(made.row.http >= 400 && made.row.http < 500, JSON.stringify(json));
        return assert.equal(made.row.type, 'invalid_request_error');
      }
      accepted += 1;
      assert.equal(made.video.object, 'video');
    }),
    { numRuns: 400, seed: SEED },
  );
  assert.ok(accepted > 0);
});

test('any JSON value starts an upload or is refused with 400', async () => {
  const dependencies = {
    files: new MemoryFiles(),
    store: memoryFileStore(new Set()),
    logger: { info: () => {}, error: () => {} },
    now: Date.now,
    storageBytes: 1e12,
    retentionSeconds: 3600,
  };
  const create = async (text: string) => {
    const { terms, sha256 } = readUpload(readJsonBody(text));
    requireUsableSize(terms.bytes, REQUEST_MEGABYTES, 'bytes');
    const { file, upload } = await createUpload(dependencies, 'acme', terms, sha256);
    return fileObjectWithUpload(file, upload);
  };
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(anyFile, async (json) => {
      const made = await orRefusal(create(JSON.stringify(json)));
      if (made instanceof DomainError) return assertRefusal(made, json);
      accepted += 1;
      assert.equal(made.upload?.method, 'PUT');
    }),
    { numRuns: 300, seed: SEED },
  );
  assert.ok(accepted > 0);
});

test('any JSON value changes a webhook endpoint, rotates its secret or is refused with 400', async () => {
  const { secret, oldSecret, ...rest } = aWebhookEndpoint();
  const read = { ...rest, secretHint: toSecretHint(secret) };
  const endpoints = { describe: async () => read, change: async () => true, rotate: async () => true };
  const schema = endpointChangeSchema({ allowLoopbackHttp: false });
  const { account, id } = read;
  const ACTIONS = {
    update: async (text: string) => {
      const given = parseBody(schema, readOptionalJson(JSON_TYPE, text));
      const wanted = { name: given.name, url: given.url, eventTypes: given.event_types };
      return endpointObject(await updateEndpoint(endpoints, anAction(account, Date.now()), id, wanted));
    },
    rotate: async (text: string) => {
      const given = parseBody(rotationSchema, readOptionalJson(JSON_TYPE, text));
      const keepsOld = given.keep_old_secret_active_for_24_hours ?? false;
      const rotated = await rotateSecret(endpoints, anAction(account, Date.now()), id, keepsOld);
      return endpointWithSecret(rotated.endpoint, rotated.secret);
    },
  };
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      anyWebhookChange,
      fc.constantFrom(ACTIONS.update, ACTIONS.rotate),
      async (json, change) => {
        const made = await orRefusal(change(JSON.stringify(json)));
        if (made instanceof DomainError) return assertRefusal(made, json);
        accepted += 1;
        assert.equal(made.object, 'webhook_endpoint');
      },
    ),
    { numRuns: 200, seed: SEED },
  );
  assert.ok(accepted > 0);
});
