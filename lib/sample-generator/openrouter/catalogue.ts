import type { Generator, Handler } from '../exchange.ts';
import { readQuery, sendJson } from '../exchange.ts';
import { isRetired } from '../models.ts';

/** The models of OpenRouter, with the fields that its catalogues have. */

/** US cents per second, by the shorter side of the video: with sound, and without. */
type Prices = Readonly<Record<number, { readonly sound: number; readonly silent: number }>>;

type VideoModel = { readonly name: string; readonly slug: string; readonly prices: Prices };

export const VIDEO_MODELS: Readonly<Record<string, VideoModel>> = {
  'google/veo-3.1': {
    name: 'Google: Veo 3.1',
    slug: 'google/veo-3.1-20260320',
    prices: {
      720: { sound: 40, silent: 20 },
      1080: { sound: 40, silent: 20 },
      2160: { sound: 60, silent: 40 },
    },
  },
  'google/veo-3.1-fast': {
    name: 'Google: Veo 3.1 Fast',
    slug: 'google/veo-3.1-fast-20260320',
    prices: {
      720: { sound: 10, silent: 8 },
      1080: { sound: 12, silent: 10 },
      2160: { sound: 30, silent: 25 },
    },
  },
};

const CREATED = Date.UTC(2026, 2, 20) / 1000;

export const DURATIONS = [4, 6, 8] as const;
export const RESOLUTIONS = ['720p', '1080p', '4K'] as const;
export const ASPECT_RATIOS = ['16:9', '9:16'] as const;
export const FRAME_TYPES = ['first_frame', 'last_frame'] as const;
const SIZES = ['1280x720', '720x1280', '1920x1080', '1080x1920', '3840x2160', '2160x3840'] as const;

const inDollars = (cents: number) => (cents / 100).toFixed(2);

const toSkus = (prices: Prices) =>
  Object.fromEntries(
    Object.entries(prices).flatMap(([side, { sound, silent }]) => [
      [`duration_seconds_${side}_with_audio`, inDollars(sound)],
      [`duration_seconds_${side}_without_audio`, inDollars(silent)],
    ]),
  );

const toVideoModel = (id: string, { name, slug, prices }: VideoModel) => ({
  id,
  canonical_slug: slug,
  name,
  created: CREATED,
  description: 'A sample of the catalogue',
  supported_resolutions: RESOLUTIONS,
  supported_aspect_ratios: ASPECT_RATIOS,
  supported_sizes: SIZES,
  supported_durations: DURATIONS,
  supported_frame_images: FRAME_TYPES,
  generate_audio: true,
  seed: true,
  pricing_skus: toSkus(prices),
  allowed_passthrough_parameters: ['personGeneration', 'aspectRatio', 'negativePrompt', 'enhancePrompt'],
});

export const sendVideoModels: Handler = async ({ response, generator }) =>
  sendJson(response, {
    data: Object.entries(VIDEO_MODELS)
      .filter(([id]) => !isRetired(generator, id))
      .map(([id, model]) => toVideoModel(id, model)),
  });

const IMAGE_MODELS = ['google/gemini-3.1-flash-image', 'google/gemini-3-pro-image'] as const;

/** Every image model of Google's is accepted. */
export const isImageModel = (model: string): boolean =>
  model.includes('image') && /^google\/[\w.-]+$/.test(model);

const toImageModel = (id: string) => ({
  id,
  canonical_slug: id,
  name: `Google: ${id}`,
  created: CREATED,
  context_length: 65_536,
  architecture: { input_modalities: ['text', 'image'], output_modalities: ['image', 'text'] },
  pricing: { prompt: '0.0000005', completion: '0.000003' },
});

const listImageModels = (generator: Generator) =>
  IMAGE_MODELS.filter((id) => !isRetired(generator, id)).map(toImageModel);

/** Models of chats by their output; those that make videos have a catalogue of their own. */
export const sendModels: Handler = async ({ request, response, generator }) => {
  const wanted = readQuery(request).get('output_modalities') ?? 'text';
  const data = listImageModels(generator).filter(
    ({ architecture: { output_modalities: output } }) =>
      wanted === 'all' || wanted.split(',').some((modality) => output.includes(modality)),
  );
  sendJson(response, { data, total_count: data.length, links: { next: null } });
};
