import { registerHooks } from 'node:module';

/** Loads the catalogue with one more entry, uses the service with it, and prints what it does. */

const ENTRY = `
  'video-square-1': {
    label: 'Square 1',
    modes: ['text', 'first_frame'],
    seconds: [5, 10],
    resolutions: ['720p'],
    aspectRatios: ['1:1'],
    defaults: { seconds: 5, resolution: '720p', aspectRatio: '1:1' },
    secondsRules: [{ mode: 'first_frame', seconds: [5] }],
    maxReferences: 1,
    seed: false,
    negativePrompt: [],
    isExtra: true,
    listPrice: '0.02',
  },
`;
const END_OF_CATALOGUE = '} as const satisfies Readonly<Record<string, Entry>>;';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/functions/catalogue/domain/models.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(END_OF_CATALOGUE)) throw new Error('the end of the catalogue is not found');
    return { ...loaded, source: source.replace(END_OF_CATALOGUE, `${ENTRY}${END_OF_CATALOGUE}`) };
  },
});

const FUNCTIONS = '../../../functions';
const { DomainError } = await import('../../../functions/platform/domain/errors.ts');
const { VIDEO_MODELS } = await import(`${FUNCTIONS}/catalogue/domain/models.ts`);
const { readVideoDraft } = await import(`${FUNCTIONS}/videos/api/read-video-request.ts`);
const { resolveVideoRequest } = await import(`${FUNCTIONS}/videos/domain/video-request.ts`);
const { openApiDocument } = await import(`${FUNCTIONS}/openapi/document.ts`);
const { modelList } = await import(`${FUNCTIONS}/models/api/models.ts`);
const { modelOptions, textFields, possibleSeconds, EMPTY_VIDEO_FORM } = await import(
  `${FUNCTIONS}/../console/playground/video-form.ts`
);
const { SAMPLE_PRICES } = await import('../../../lib/config.ts');
const { anUpstream } = await import('../../support/builders/upstream.ts');

const MODEL = 'video-square-1';
const create = (options: object): unknown => {
  try {
    const { seconds, resolution, aspectRatio } = resolveVideoRequest(
      readVideoDraft({ model: MODEL, prompt: 'a tile', ...options }).data,
    );
    return { seconds, resolution, aspectRatio };
  } catch (error) {
    if (error instanceof DomainError) return `${error.param}: ${error.message}`;
    throw error;
  }
};

const { components, paths } = openApiDocument();
const { properties } = Object(components.schemas.CreateVideo);
const form = { ...EMPTY_VIDEO_FORM, ...modelOptions(MODEL, { seconds: 10 }), prompt: 'a tile' };
const upstreams = [anUpstream('a', { models: { [MODEL]: 'theirs' } })];
const { model, seconds, size } = Object.fromEntries(textFields(form));
const [listed] = modelList({ aliases: {}, upstreams }).data;

process.stdout.write(
  JSON.stringify({
    last: VIDEO_MODELS.at(-1),
    accepted: [create({}), create({ seconds: 10, size: '720x720' })],
    refused: [
      create({ seconds: 8 }),
      create({ size: '1280x720' }),
      create({ seed: 1 }),
      create({
        seconds: 10,
        input_reference:
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
      }),
    ],
    document: {
      isNamed: properties.model.enum.includes(MODEL),
      hasSize: properties.size.enum.includes('720x720'),
      description: Object(paths['/v1/videos']).post.description.includes(
        `${MODEL}: 5 or 10 seconds; only 5 with a first frame`,
      ),
    },
    listed: { id: listed?.id, capabilities: listed?.capabilities },
    form: { model, seconds, size, possible: possibleSeconds({ ...form, mode: 'first_frame' }) },
    price: SAMPLE_PRICES.videoSecond[MODEL],
  }),
);
