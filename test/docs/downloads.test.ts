import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createVideo, waitFor } from '../support/http.ts';
import { readCodecs } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeBlocks } from './sections.ts';

const run = promisify(execFile);
const isMissing = (tool: string): boolean => spawnSync('which', [tool]).status !== 0;

const service = await openSharedService();
const folder = await temporaryFolder('downloads');
const [locate = assert.fail('no example'), ...downloads] = codeBlocks(
  ['docs/api.md', '## Downloads and redirects'],
  'sh',
);

describe('a download in two steps', { skip: isMissing('curl') && 'curl is not installed' }, () => {
  const environment: Record<string, string | undefined> = { ...process.env };
  before(async () => {
    const TASK = await createVideo(service, 'a quiet harbour');
    await waitFor(service, TASK);
    Object.assign(environment, { TASK, BASE_URL: service.baseUrl, API_KEY: service.apiKey });
  });
  const shell = async (script: string): Promise<string> =>
    (await run('bash', ['-e', '-c', script], { cwd: folder, env: environment, encoding: 'utf8' })).stdout;

  for (const download of downloads) {
    const [tool = ''] = download.split(' ');
    test(`works with ${tool}`, { skip: isMissing(tool) && `${tool} is not installed` }, async () => {
      const output = await shell(`${locate}\n${download}`);
      if (tool === 'ffprobe') return assert.match(output, /duration=4\./);
      assert.equal(readCodecs(await readFile(join(folder, 'video.mp4'))).length, 2);
      await rm(join(folder, 'video.mp4'));
    });
  }

  test('is not needed for a share link, whose example fails with a wrong key', async () => {
    const [share = assert.fail('no example')] = codeBlocks(['docs/api.md', '## Share links'], 'sh');
    const { url } = JSON.parse(await shell(share));
    assert.equal((await fetch(url)).status, 200);
    await assert.rejects(shell(`API_KEY="$API_KEY!"\n${share}`), /error: 401/);
  });

  test('redirects to another host name than the API', async () => {
    const location = await shell(`${locate}\necho "$LOCATION"`);
    assert.notEqual(new URL(location).hostname, new URL(service.baseUrl).hostname);
  });

  test('is necessary: wget forwards the key, and S3 rejects two credentials', {
    skip: isMissing('wget') && 'wget is not installed',
  }, async () => {
    const oneStep =
      'wget -O refused.mp4 --header "Authorization: Bearer $API_KEY" "$BASE_URL/v1/videos/$TASK/content"';
    await assert.rejects(shell(oneStep), /400 Bad Request/);
  });
});
