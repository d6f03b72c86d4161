import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { HELD_BACK, listInputs, MODEL, waitFor } from '../support/http.ts';
import { JPEG, PNG, WEBP } from '../support/images.ts';
import { readCodecs } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

const service = await openSharedService();
const folder = await temporaryFolder('curl');
await writeFile(join(folder, 'first.png'), PNG);
await writeFile(join(folder, 'last.jpg'), JPEG);
await writeFile(join(folder, 'asset.webp'), WEBP);

describe('curl', { skip: hasCurl ? false : 'curl is not installed', concurrency: 4 }, () => {
  const curl = async (...args: string[]): Promise<string> => {
    const common = ['-sS', '--fail-with-body', '-H', `Authorization: Bearer ${service.apiKey}`];
    return (await run('curl', [...common, ...args], { cwd: folder, encoding: 'utf8' })).stdout;
  };
  const create = async (...args: string[]): Promise<string> => {
    const { id } = JSON.parse(await curl(`${service.baseUrl}/v1/videos`, ...args));
    return String(id);
  };
  const completes = async (id: string): Promise<void> => {
    const { body } = await waitFor(service, id);
    assert.equal(body.status, 'completed', JSON.stringify(body.error));
  };

  const FORMS: readonly [string, readonly string[]][] = [
    [
      'references',
      [
        'reference_image=@first.png',
        'reference_image=@last.jpg',
        'reference_image=@asset.webp',
        'reference_type=asset',
      ],
    ],
  ];
  for (const [mode, fields] of FORMS)
    test(`creates a video from ${mode} with -F`, async () => {
      const all = [`model=${MODEL}`, 'prompt=a quiet harbour', ...fields];
      await completes(await create(...all.flatMap((field) => ['-F', field])));
    });

  const base64 = (bytes: Buffer, mimeType: string) => ({
    bytesBase64Encoded: bytes.toString('base64'),
    mimeType,
  });
  const BODIES: readonly [string, object, inputs: readonly string[]][] = [
    [
      'references',
      {
        metadata: {
          referenceImages: [
            base64(PNG, 'image/png'),
            base64(JPEG, 'image/jpeg'),
            base64(WEBP, 'image/webp'),
          ].map((image) => ({ image, referenceType: 'asset' })),
        },
      },
      ['reference image/png', 'reference image/jpeg', 'reference image/webp'],
    ],
  ];
  for (const [mode, fields, inputs] of BODIES)
    test(`creates a task from ${mode} with JSON`, async () => {
      const json = JSON.stringify({ model: MODEL, prompt: HELD_BACK, ...fields });
      const id = await create('-H', 'content-type: application/json', '-d', json);
      assert.deepEqual(await listInputs(service, id), inputs);
    });

  test('creates a video from text with -F, and downloads it with -L', async () => {
    const id = await create('-F', `model=${MODEL}`, '-F', 'prompt=a quiet harbour', '-F', 'seconds=4');
    await completes(id);
    await curl('-L', '-o', 'video.mp4', `${service.baseUrl}/v1/videos/${id}/content`);
    const codecs = readCodecs(await readFile(join(folder, 'video.mp4')));
    assert.deepEqual(codecs.toSorted(), ['avc1', 'mp4a']);
  });
});
