import { withLargeRequests } from '../../support/assembly.ts';
import { call, MODEL, readId, waitFor } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { EDITS, GENERATIONS } from '../../support/images/requests.ts';
import { largePng } from '../../support/images.ts';
import type { Service } from '../../support/service.ts';
import { putFile } from '../../support/stored-files.ts';
import { until } from '../../support/until.ts';
import type { Figure } from '../measurement.ts';
import { logicalName, type Stage } from '../stage.ts';

const FULL = { bytes: 19_900_000, files: 3, images: 4, megabytes: 18, size: '4K' };
const QUICK = { bytes: 100_000, files: 1, images: 1, megabytes: 1, size: '1024x1024' };
type Sizes = typeof FULL;

/** Creates a video and an image from the largest possible files. */
const useFiles = async (service: Service, { files, bytes }: Sizes): Promise<void> => {
  const put = () => putFile(service, 'tester', largePng(bytes));
  const ids = await Promise.all(Array.from({ length: files }, put));
  const images = ids.map((file_id) => ({ file_id }));
  const json = { model: MODEL, prompt: 'A fox', reference_images: images };
  const { body } = await waitFor(service, readId(await call(service, 'POST', '/v1/videos', { json })));
  if (body.status !== 'completed') throw new Error(JSON.stringify(body.error));
  const edited = await call(service, 'POST', EDITS, {
    json: { model: IMAGE_MODEL, prompt: 'A fox', images },
  });
  if (edited.status !== 200) throw new Error(JSON.stringify(edited.body));
};

/** The largest response: as many images as a request may ask for at 4K. */
const makeImages = async (service: Service, { images, megabytes, size }: Sizes): Promise<void> => {
  const json = { model: IMAGE_MODEL, prompt: `A fox [sample: size ${megabytes}MB]`, size, n: images };
  const made = await call(service, 'POST', GENERATIONS, { json });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
};

/** The peak memory of each function that reads files or makes images. */
export const fileMemory = async (stage: Stage): Promise<readonly Figure[]> => {
  await using service = await stage.start(stage.size({ changeTemplate: withLargeRequests }, undefined));
  const sizes = stage.size(FULL, QUICK);
  await useFiles(service, sizes);
  await makeImages(service, sizes);
  const files = `${sizes.files} × ${(sizes.bytes / 1e6).toFixed(1)} MB of files`;
  const work = [
    ['create-video', files],
    ['video-worker', files],
    ['edit-images', files],
    ['generate-images', `${sizes.images} × ${sizes.megabytes} MB of images`],
  ] as const;
  const figure = async ([name, done]: readonly [string, string]): Promise<Figure> => {
    const { memoryMegabytes } = stage.definition(name, service.baseUrl);
    const functionId = service.cloud.functionId(logicalName(name));
    const peaks = () =>
      service.cloud
        .invocations()
        .filter((record) => record.functionId === functionId)
        .map(({ maxMemoryMegabytes }) => maxMemoryMegabytes);
    // An invocation ends after its response.
    await until(() => peaks().length > 0);
    return {
      name: `memory, ${name}, ${done}`,
      measured: Math.max(...peaks()),
      unit: 'MB',
      budget: memoryMegabytes,
      note: 'whole process; the budget is the memory of the function',
    };
  };
  return await Promise.all(work.map(figure));
};
