import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, HELD_BACK, MODEL } from '../support/http.ts';
import { PNG } from '../support/images.ts';
import { assertRefused, createJson, service } from './requests.ts';

/** A request for each difference from the specification. */
const DIFFERENCES: Readonly<Record<string, () => Promise<void>>> = {
  '`model` is one of the identifiers': async () => {
    const answer = await call(service, 'POST', '/v1/videos', {
      json: { model: 'sora-2', prompt: HELD_BACK },
    });
    assert.deepEqual(
      [answer.status, answer.headers.get('x-model-alias')?.startsWith('sora-2=')],
      [200, true],
    );
  },
  'Image inputs have one of three MIME types': async () => {
    const image = { bytesBase64Encoded: PNG.toString('base64'), mimeType: 'application/octet-stream' };
    const referenceImages = [{ image, referenceType: 'asset' }];
    assert.equal((await createJson({ metadata: { referenceImages } })).status, 200);
  },
  '`seed` is an integer': async () => assertRefused(await createJson({ seed: -1 }), 'seed'),
  'All options of both video models': async () => {
    const { capabilities } = (await call(service, 'GET', `/v1/models/${MODEL}`)).body;
    assert.deepEqual(Reflect.get(Object(capabilities), 'resolutions'), ['720p', '1080p', '4k']);
  },
};

test('docs/architecture.md lists every deliberate difference, each of which exists', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
  const [, section = ''] = text.split('## Differences from the specification\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const listed = rows.map((row) => row.split(' | ')[0]?.slice(2)).filter((name) => name !== 'Specification');
  assert.deepEqual(listed, Object.keys(DIFFERENCES));
  for (const shows of Object.values(DIFFERENCES)) await shows();
});
