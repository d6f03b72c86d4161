import { flushCompileCache } from 'node:module';
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { UnreadablePicture } from './pictures.ts';
import { renderImage, renderVideo } from './render.ts';
import type { RenderJob, RenderOutcome } from './render-job.ts';

Log.setLevel(AV_LOG_QUIET);

// The parent is gone. Native threads would delay a normal exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const render = async (job: RenderJob): Promise<RenderOutcome> => {
  try {
    await (job.kind === 'video' ? renderVideo(job) : renderImage(job));
    return { outcome: 'rendered' };
  } catch (error) {
    if (error instanceof UnreadablePicture) return { outcome: 'unreadable-picture' };
    return { outcome: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
};

process.on('message', async (job: RenderJob) => {
  // Encoders write scratch files to the working directory.
  process.chdir(job.folder);
  const outcome = await render(job);
  // Saved now, because the parent kills this process.
  flushCompileCache();
  process.send?.(outcome);
});
