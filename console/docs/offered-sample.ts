import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import {
  EMPTY_VIDEO_FORM,
  FORM_RULES,
  offersEveryVideo,
  textFields,
  type VideoForm,
} from '../playground/video-form.ts';
import { createVideoOffer } from '../playground/video-offer.ts';
import { texts } from '../texts/texts.ts';
import { lastSegment, type Schema } from './schema-text.ts';

/** The OpenAPI document describes the service; its samples become those that the deployment can serve. */

type Offers = CurrentSessionObject['offers'];
type Operation = { readonly tags?: readonly string[]; readonly requestBody?: unknown };
type Body = {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

/** Undefined if the deployment offers no videos. */
export const exampleVideo = ({ video }: Pick<Offers, 'video'>): VideoForm | undefined => {
  const short = { ...EMPTY_VIDEO_FORM, prompt: texts.video.examples[0], seconds: 4 } as const;
  if (offersEveryVideo(video)) return short;
  const offer = createVideoOffer(video, FORM_RULES);
  return offer.models.length === 0 ? undefined : { ...short, ...offer.start(undefined) };
};

/** Why the deployment refuses all requests of the operation. */
export const findObstacle = ({ tags = [], requestBody }: Operation, offers: Offers): string | undefined => {
  if (requestBody === undefined) return undefined;
  if (tags.includes('Images') && !offers.image) return texts.notOffered.images;
  return tags.includes('Videos') && exampleVideo(offers) === undefined ? texts.notOffered.videos : undefined;
};

const VIDEO_SAMPLES: Readonly<Record<string, (form: VideoForm) => unknown>> = {
  CreateVideo: (form) => Object.fromEntries(textFields(form)),
  NativeVideoRequest: ({ prompt, seconds, resolution, aspectRatio }) => ({
    instances: [{ prompt }],
    parameters: { durationSeconds: seconds, resolution, aspectRatio },
  }),
};

export const offeredSample = ({ schema, examples = {} }: Body, offers: Offers): unknown => {
  const [first] = Object.values(examples);
  const toSample = VIDEO_SAMPLES[lastSegment(schema.$ref ?? '')];
  const form = exampleVideo(offers);
  return toSample === undefined || form === undefined || offersEveryVideo(offers.video)
    ? first?.value
    : toSample(form);
};
