import type * as z from 'zod/mini';
import { imageUrl } from '../../catalogue/api/image.ts';
import type { GivenImage } from '../../catalogue/domain/input-image.ts';
import { isOpenRouterClient } from '../../platform/api/dialects.ts';
import { type BodyFields, isFields, ownField } from '../../platform/body/fields.ts';
import { type Parsed, parseBody } from '../../platform/body/parse.ts';
import { choice, fields, list, openFields, optional } from '../../platform/body/schema.ts';
import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import { webhookUrl } from '../../webhooks/api/webhook-schema.ts';
import type { FieldNames, VideoDraft } from '../domain/video-request.ts';

/** Requests in the form of OpenRouter: how they are recognized, and the fields that it names differently. */

const imagePart = { type: choice(['image_url']), image_url: imageUrl };
const FRAMES = ['first_frame', 'last_frame'] as const;
/** More than any model takes; the model's own limit is checked later. */
const MAX_REFERENCES = 16;

const imageFields = openFields({
  frame_images: optional(
    list(fields({ ...imagePart, frame_type: choice(FRAMES) }), FRAMES.length),
    'The first and the last frame.',
  ),
  input_references: optional(list(fields(imagePart), MAX_REFERENCES), 'Reference images.'),
});

/** Fields that no other service has. */
const OWN_FIELDS = ['frame_images', 'input_references'];
/** Such as `google/veo-3.1`. */
const OWN_MODEL = /^google\/veo-/;

/** Recognizes a request by its fields, its model, or the headers of OpenRouter's clients. */
export const isOpenRouterVideo = (
  body: BodyFields,
  header: (name: string) => string | undefined,
): boolean => {
  const model = ownField(body, 'model');
  return (
    isOpenRouterClient(header) ||
    OWN_FIELDS.some((name) => ownField(body, name) !== undefined) ||
    (typeof model === 'string' && OWN_MODEL.test(model))
  );
};

const callbackFields = openFields({ callback_url: optional(webhookUrl, 'Gets the event of the end.') });

/** Without the feature webhooks, nobody would call it. */
export const readCallbackUrl = (body: BodyFields, hasWebhooks: boolean): string | undefined => {
  const { callback_url: url } = parseBody(callbackFields, body);
  if (url !== undefined && !hasWebhooks)
    throw new DomainError(
      'not_offered',
      'callback_url is not supported, because this deployment leaves out the feature webhooks: poll polling_url.',
      { param: 'callback_url' },
    );
  return url;
};

type Frames = NonNullable<z.output<typeof imageFields>['frame_images']>;

const findFrame = (frames: Frames, type: (typeof FRAMES)[number]): GivenImage | undefined => {
  const [frame, second] = frames.filter(({ frame_type }) => frame_type === type);
  if (second !== undefined)
    throw invalidField('frame_images', `frame_images has more than one image with frame_type ${type}.`);
  return frame?.image_url;
};

const requireObject = (value: unknown, param: string): BodyFields => {
  if (isFields(value)) return value;
  throw invalidField(param, `${param} must be an object.`);
};

/** The options for the provider that makes these models at OpenRouter; it ignores those for other providers. */
const readProvider = (provider: unknown): BodyFields => {
  if (provider === undefined || provider === null) return {};
  const { options = {}, ...preferences } = requireObject(provider, 'provider');
  const [preference] = Object.keys(preferences);
  if (preference !== undefined)
    throw new DomainError('not_offered', `provider.${preference} is not supported: leave it out.`, {
      param: `provider.${preference}`,
    });
  const own = ownField(requireObject(options, 'provider.options'), 'google-vertex');
  if (own === undefined) return {};
  const parameters = ownField(requireObject(own, 'provider.options.google-vertex'), 'parameters');
  return parameters === undefined
    ? {}
    : requireObject(parameters, 'provider.options.google-vertex.parameters');
};

/** `4K` is our `4k`. */
const toResolution = (resolution: unknown): unknown =>
  typeof resolution === 'string' ? resolution.toLowerCase() : resolution;

/** Only for the sender's own records. */
const RECORDS = ['session_id', 'trace'];
/** The reader of the Videos API does not know them. */
const READ_HERE = ['frame_images', 'input_references', 'callback_url', ...RECORDS];

/** Reads a request with the reader of the Videos API, except for what only OpenRouter's form has. */
export const readOpenRouterDraft = (
  body: BodyFields,
  readDraft: (body: BodyFields) => Parsed<VideoDraft>,
): Parsed<VideoDraft> => {
  const { frame_images: frames = [], input_references: references = [] } = parseBody(imageFields, body);
  const { provider, generate_audio: audio, ...rest } = body;
  const others = Object.entries({ ...rest, ...readProvider(provider) }).filter(
    ([name]) => !READ_HERE.includes(name),
  );
  const { data, ignored } = readDraft({
    ...Object.fromEntries(others),
    ...(rest.resolution === undefined ? {} : { resolution: toResolution(rest.resolution) }),
    // Sound is always made; every other wish is refused.
    ...(audio === undefined || audio === true ? {} : { generate_audio: audio }),
  });
  const draft = {
    ...data,
    firstFrame: findFrame(frames, 'first_frame') ?? data.firstFrame,
    lastFrame: findFrame(frames, 'last_frame') ?? data.lastFrame,
    references: [...data.references, ...references.map(({ image_url }) => image_url)],
  };
  return {
    data: draft,
    ignored: [...ignored, ...RECORDS.filter((name) => ownField(body, name) !== undefined)],
  };
};

const FIELD_NAMES: Readonly<Partial<Record<Parameters<FieldNames>[0], string>>> = {
  input_reference: 'frame_images',
  last_frame: 'frame_images',
  reference_images: 'input_references',
};

export const openRouterFieldNames =
  (others: FieldNames): FieldNames =>
  (field) =>
    FIELD_NAMES[field] ?? others(field);
