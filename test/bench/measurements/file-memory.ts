import { withLargeRequests } from '../../support/assembly.ts';
import { call, MODEL, readId, waitFor } from '../../support/http.ts';
import { EDITS, GENERATIONS } from '../../support/images/requests.ts';
import { largePng } from '../../support/images.ts';
import { type Service, startService } from '../../support/service.ts';
import { putFile } from '../../support/stored-files.ts';
import type { Figure } from '../measurement.ts';
import { logicalName, type Stage } from '../stage.ts';

const BYTES = 19_900_000;

const FILES = '3 files of 20 MB';
const WORK = [
  ['create-video', FILES],
  ['video-worker', FILES],
  ['edit-images', FILES],
  ['generate-images', '4 images of 18 MB'],
] as const;

/** Creates a video and an image from the largest possible files. */
const useFiles = async (service: Service): Promise<void> => {
  const ids = await Promise.all([1, 2, 3].map(() => putFile(service, 'tester', largePng(BYTES))));
  const images = ids.map((file_id) => ({ file_id }));
  const json = { model: MODEL, prompt: 'A fox', reference_images: images };
  const { body } = await waitFor(service, readId(await call(service, 'POST', '/v1/videos', { json })));
  if (body.status !== 'completed') throw new Error(JSON.stringify(body.error));
  const edited = await call(service, 'POST', EDITS, { json: { prompt: 'A fox', images } });
  if (edited.status !== 200) throw new Error(JSON.stringify(edited.body));
};

/** The largest response: as many images as a request may ask for at 4K. */
const makeImages = async (service: Service): Promise<void> => {
  const json = { prompt: 'A fox [sample: size 18MB]', size: '4K', n: 4 };
  const made = await call(service, 'POST', GENERATIONS, { json });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
};

/** The peak memory of each function that reads files or makes images. */
export const fileMemory = async (stage: Stage): Promise<readonly Figure[]> => {
  await using service = await startService({ changeTemplate: withLargeRequests });
  await useFiles(service);
  await makeImages(service);
  const figure = async ([name, work]: readonly [string, string]): Promise<Figure> => {
    const { memoryMegabytes } = await stage.definition(name, service.baseUrl);
    const functionId = service.cloud.functionId(logicalName(name));
    const peaks = service.cloud
      .invocations()
      .filter((record) => record.functionId === functionId)
      .map(({ maxMemoryMegabytes }) => maxMemoryMegabytes);
    return {
      name: `memory, ${name}, ${work}`,
      measured: Math.max(...peaks),
      unit: 'MB',
      budget: memoryMegabytes,
      note: 'whole process; the budget is the memory of the function',
    };
  };
  return await Promise.all(WORK.map(figure));
};
