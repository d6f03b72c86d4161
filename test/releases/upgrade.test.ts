import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as z from 'zod';
import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import { startLocalCloud } from '../../lib/local/cloud.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { startSampleGenerator } from '../../lib/sample-generator/server.ts';
import { assemblyFor, samplesFolder, UPSTREAM_PLACEHOLDER } from '../support/assembly.ts';
import { startInThisProcess } from '../support/functions-in-one-process.ts';
import { call, MODEL, readId, type ServiceAccess } from '../support/http.ts';
import { until } from '../support/until.ts';
import { readRelease, withRelease } from './previous-release.ts';

const UPSTREAM_KEY = 'upstream-key-for-tests';
const ACCOUNT = 'upgraded';

const folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
const generator = await startSampleGenerator({
  apiKey: UPSTREAM_KEY,
  cacheDir: samplesFolder(folder),
  generationSeconds: 2,
  retryDelaySeconds: 1,
  drafts: true,
});
after(async () => {
  await generator.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves the same data with the current functions or with those of the previous release. */
const startRelease = async (which: 'previous' | 'current') => {
  const own = await mkdtemp(join(folder, `${which}-`));
  const files = await assemblyFor(generator.url, own);
  const { version, functions } = await readRelease();
  const located = JSON.parse(JSON.stringify(functions).replaceAll(UPSTREAM_PLACEHOLDER, generator.url));
  const data = await openDataFolder(join(folder, 'data'));
  const cloud = await startLocalCloud({
    ...(which === 'current' ? files : await withRelease(files, { version, functions: located }, own)),
    data,
    port: 0,
    schedules: false,
    startChild: startInThisProcess,
    resolveSecret: ({ logicalId }) => (logicalId.startsWith('Upstream') ? UPSTREAM_KEY : undefined),
  });
  return {
    cloud,
    stop: async () => {
      await cloud.close();
      await data.release();
    },
  };
};

const chargesSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** All videos of the process have the same prompt, so that the sample is rendered once. */
const createVideo = async (service: ServiceAccess, key: string): Promise<string> =>
  readId(
    await call(service, 'POST', '/v1/videos', {
      json: { model: MODEL, prompt: 'a lighthouse', seconds: 4 },
      headers: { 'idempotency-key': key },
    }),
  );

const createImage = async (service: ServiceAccess): Promise<void> => {
  const { status, body } = await call(service, 'POST', '/v1/images/generations', {
    json: { model: IMAGE_MODEL, prompt: 'a quiet harbour', size: '1024x1024' },
  });
  assert.equal(status, 200, JSON.stringify(body));
};

test('each release finishes the tasks of the other and charges them once', async () => {
  await mkdir(join(folder, 'data'));
  const created: string[] = [];
  let keys: { readonly plain: string; readonly admin: string } | undefined;
  for (const which of ['previous', 'current', 'previous'] as const) {
    const { cloud, stop } = await startRelease(which);
    const store = { clientConfig: cloud.clientConfig('operator'), outputs: cloud.outputs };
    keys ??= {
      plain: await issueApiKey(store, { account: ACCOUNT, name: 'creates', monthlyBudget: '1000' }),
      admin: await issueApiKey(store, { account: ACCOUNT, name: 'reads', kind: 'admin' }),
    };
    const service = { baseUrl: cloud.baseUrl, apiKey: keys.plain };
    // Tasks of the release before are queued or in progress.
    for (const id of created)
      await until(async () => {
        // A message in flight when the service stopped stays hidden; the sweeper sends another.
        await cloud.runSchedule('EveryMinute');
        const { status, body } = await call(service, 'GET', `/v1/videos/${id}`);
        assert.equal(status, 200);
        assert.notEqual(body.status, 'failed', JSON.stringify(body.error));
        return body.status === 'completed';
      }, 1500);
    const first = created[0];
    if (first !== undefined) assert.equal(await createVideo(service, 'video 0'), first, 'idempotency');
    if (created.length < 4) {
      for (let count = 0; count < 2; count++)
        created.push(await createVideo(service, `video ${created.length}`));
      await createImage(service);
      await until(() => generator.requests().length > 0);
    } else {
      const { body } = await call(service, 'GET', '/v1/organization/charges', { key: keys.admin });
      const { data } = chargesSchema.parse(body);
      assert.equal(data.length, created.length + 2);
    }
    await stop();
  }
});
