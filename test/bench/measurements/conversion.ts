import { Encoder } from 'node-av/api';
import { AV_PIX_FMT_YUVJ444P, FF_ENCODER_MJPEG } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { bearer, GENERATIONS, post } from '../../support/images/requests.ts';
import { startServer } from '../../support/server.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import type { Figure } from '../measurement.ts';
import { logicalName, type Stage } from '../stage.ts';

const FUNCTION = 'generate-images';
/** 8:1 at 4K has more pixels than any other size. */
const LARGEST = [12_288, 1536] as const;
const SMALLEST = [512, 512] as const;
type Size = readonly [width: number, height: number];

/** Shapes and grain, which take the encoders longer and make larger files than the sample generator's images. */
const grainyPicture = async ([width, height]: Size): Promise<Uint8Array> => {
  const planes = new Uint8ClampedArray(3 * width * height);
  let grain = 1;
  for (let at = 0; at < planes.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width) % height];
    grain = (Math.imul(grain, 1_664_525) + 1_013_904_223) >>> 0;
    const light = at < width * height ? (grain >>> 24) / 4 - 32 : 0;
    planes[at] = 128 + 60 * Math.sin(x / 40 + y / 77) + 40 * Math.cos(y / 25) + light;
  }
  using frame = Frame.fromVideoBuffer(Buffer.from(planes.buffer), {
    width,
    height,
    format: AV_PIX_FMT_YUVJ444P,
    timeBase: { num: 1, den: 1 },
    pts: 0n,
  });
  return await Encoder.encodeOne(FF_ENCODER_MJPEG, frame, { context: { qMin: 2, qMax: 2 } });
};

/** An upstream that always answers with this image. */
const startUpstream = (image: Uint8Array) => {
  const inlineData = { mimeType: 'image/jpeg', data: Buffer.from(image).toString('base64') };
  const body = JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ inlineData }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  });
  return startServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  });
};

const OPTIONS = {
  'not converted': {},
  png: { output_format: 'png' },
  webp: { output_format: 'webp' },
  'jpeg, compressed': { output_format: 'jpeg', output_compression: 80 },
  // As many as a request may have at 4K.
  'two as png': { output_format: 'png', n: 2 },
  'four as webp': { output_format: 'webp', n: 4 },
} as const;

/** Peak memory of a new process that converts one image. */
const measure = async (
  { cloud, ...service }: Service,
  [title, options]: readonly [string, object],
  [width, height]: Size,
  budget: number,
): Promise<Figure> => {
  const functionId = cloud.functionId(logicalName(FUNCTION));
  await cloud.endProcesses(functionId);
  const before = cloud.invocations().length;
  const request = { model: IMAGE_MODEL, prompt: 'A fox', size: `${width}x${height}`, ...options };
  const { status, body } = await post(service, GENERATIONS, bearer(service.apiKey), request);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const find = () =>
    cloud
      .invocations()
      .slice(before)
      .find((one) => one.functionId === functionId);
  // An invocation ends after its response.
  await until(() => find() !== undefined);
  const record = find();
  if (record === undefined) throw new Error(`${FUNCTION} was not called`);
  const megabytes = (body.data[0].b64_json.length * 3) / 4 / 1_000_000;
  return {
    name: `memory, ${width}×${height} image, ${title}`,
    measured: record.maxMemoryMegabytes,
    unit: 'MB',
    budget,
    note: `${megabytes.toFixed(1)} MB in ${(record.milliseconds / 1000).toFixed(1)} s; whole process; the budget is the memory of the function`,
  };
};

/** The largest image of the model, converted to each format. */
export const conversion = async (stage: Stage): Promise<readonly Figure[]> => {
  const size = stage.size<Size>(LARGEST, SMALLEST);
  const upstream = await startUpstream(await grainyPicture(size));
  const service = await stage.start({ upstreamUrl: upstream.url });
  try {
    const { memoryMegabytes } = stage.definition(FUNCTION, service.baseUrl);
    const figures: Figure[] = [];
    for (const option of Object.entries(OPTIONS).slice(...stage.size([0], [1, 2])))
      figures.push(await measure(service, option, size, memoryMegabytes));
    return figures;
  } finally {
    await service.close();
    await upstream.close();
  }
};
