import type { Check } from '../check.ts';
import { expectStatus, expectTrue } from '../check-failure.ts';
import { at } from '../json-path.ts';
import { expectMp4 } from '../mp4-boxes.ts';
import { VIDEO_MODEL } from '../tasks.ts';
import { download } from './text-video.ts';

const MEGABYTE = 1024 * 1024;
const request = (prompt: string) => ({ json: { model: VIDEO_MODEL, prompt, seconds: 4 } });

/** What only the sample generator can be asked for, by words in the prompt. */
export const longChecks: readonly Check[] = [
  {
    name: 'completes a generation of over two minutes',
    videoSeconds: 4,
    run: async ({ tasks }) => {
      const answer = await tasks.completed(await tasks.create(request('A slow river [sample: delay 130s]')));
      const seconds = Number(at(answer.json, 'completed_at')) - Number(at(answer.json, 'created_at'));
      expectTrue(seconds > 120, 'more than 120 seconds', `${seconds} seconds`, answer);
    },
  },
  {
    name: 'stores and serves a file of over 20 MB',
    videoSeconds: 4,
    run: async ({ api, tasks }) => {
      const id = await tasks.create(request('A wide river [sample: size 25MB]'));
      await tasks.completed(id);
      const answer = await download(api, id);
      expectStatus(answer, 200);
      const megabytes = Math.floor(answer.bytes.length / MEGABYTE);
      expectTrue(megabytes >= 20, 'a file of over 20 MB', `${megabytes} MB`, answer);
      expectMp4(answer.bytes);
    },
  },
];
