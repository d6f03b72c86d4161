import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as running from './support/running-generator.ts';

const download = async (url: string, uri: string): Promise<Buffer> => {
  const { pathname, search } = new URL(uri);
  const response = await fetch(`${url}${pathname}${search}`, { headers: running.KEY });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
};

describe('after a restart on the same folder', () => {
  let cacheDir: string;
  let finished: running.OperationBody;
  let uri: string;
  let bytes: Buffer;
  before(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), 'restart-'));
    const first = await running.runGenerator({ cacheDir, drafts: true });
    finished = await running.generate(first.url, running.textBody('A cat that stays'));
    uri = running.sampleUris(finished)[0] ?? assert.fail('no file');
    bytes = await download(first.url, uri);
    await first.close();
  });
  after(() => rm(cacheDir, { recursive: true, force: true, maxRetries: 5 }));

  const restarted = async <Result>(use: (url: string) => Promise<Result>): Promise<Result> => {
    const generator = await running.runGenerator({ cacheDir, drafts: true });
    try {
      return await use(generator.url);
    } finally {
      await generator.close();
    }
  };

  test('a finished operation is finished at the first poll, and its file is returned, also from a moved folder', async () => {
    for (const folder of [cacheDir, `${cacheDir}-moved`]) {
      if (folder !== cacheDir) await rename(cacheDir, folder);
      cacheDir = folder;
      await restarted(async (url) => {
        assert.ok((await download(url, uri)).equals(bytes));
        const seen: running.OperationBody = JSON.parse(await (await running.poll(url, finished.name)).text());
        assert.deepEqual([seen.done, running.sampleUris(seen).length], [true, 1]);
      });
    }
  });

  test('an interrupted operation is rendered', async () => {
    const first = await running.runGenerator({ cacheDir, drafts: true });
    const created: running.OperationBody = JSON.parse(
      await (await running.createVideo(first.url, running.textBody('A cat cut off'))).text(),
    );
    await first.close();
    const later = await restarted((url) => running.finish(url, created.name));
    assert.equal(running.sampleUris(later).length, 1);
  });
});
