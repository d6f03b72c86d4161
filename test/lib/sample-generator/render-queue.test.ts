import assert from 'node:assert/strict';
import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Picture } from '../../../lib/sample-generator/render/render-job.ts';
import { concurrencyLimit, renderQueue } from '../../../lib/sample-generator/render-queue.ts';
import { PNG } from '../../support/images.ts';
import { allGone, listChildren } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = await temporaryFolder('renderer');
const writePicture = async (name: string, bytes: string | Uint8Array): Promise<Picture> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, format: 'png_pipe' };
};
const picture = await writePicture('good.png', PNG);
const broken = await writePicture('broken.png', 'not a picture');

test('runs at most the limit of tasks at once, in order, and continues after a failure', async () => {
  const run = concurrencyLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const tasks = Array.from({ length: 7 }, (_, index) =>
    run(async () => {
      started.push(index);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      if (index === 3) throw new Error('broken');
      return index;
    }),
  );
  const results = await Promise.allSettled(tasks);
  assert.equal(most, 2);
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6]);
  const fulfilled = results.map(({ status }) => status === 'fulfilled');
  assert.deepEqual(fulfilled, [true, true, true, false, true, true, true]);
});

describe('the renderer', { skip: process.platform !== 'linux' }, () => {
  const renderImage = async (queue: ReturnType<typeof renderQueue>, references: readonly Picture[] = []) => {
    const job = await mkdtemp(join(folder, 'job-'));
    const output = join(job, 'output');
    const canvas = { width: 256, height: 256, prompt: 'a fox', label: 'test', seed: 1, threads: 1 };
    const { outcome } = await queue.run({ ...canvas, kind: 'image', folder: job, output, references });
    if (outcome === 'rendered') assert.ok((await stat(output)).size > 1000);
    return outcome;
  };

  /** Lists the processes that are started from now on; generators of other files may have their own. */
  const watchRenderers = async () => {
    const others = await listChildren(process.pid);
    return async () => (await listChildren(process.pid)).filter((pid) => !others.includes(pid));
  };

  test('is one process for several jobs until one of them reads a picture', async () => {
    const listRenderers = await watchRenderers();
    const queue = renderQueue();
    assert.equal(await renderImage(queue), 'rendered');
    const first = await listRenderers();
    assert.equal(await renderImage(queue), 'rendered');
    assert.deepEqual(await listRenderers(), first);
    assert.equal(first.length, 1);
    assert.equal(await renderImage(queue, [picture]), 'rendered');
    await allGone(first);
    queue.close();
  });

  test('stays after a trusted picture, but not after a broken one, and is replaced when it is killed', async () => {
    const listRenderers = await watchRenderers();
    const queue = renderQueue(true);
    assert.equal(await renderImage(queue, [picture]), 'rendered');
    const [idle = assert.fail('no renderer')] = await listRenderers();
    process.kill(idle, 'SIGKILL');
    assert.equal(await renderImage(queue, [picture]), 'rendered');
    const second = await listRenderers();
    assert.equal(second.length, 1);
    assert.equal(await renderImage(queue, [broken]), 'unreadable-picture');
    await allGone([idle, ...second]);
    queue.close();
  });
});
