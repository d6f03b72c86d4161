import * as z from 'zod/mini';
import { type NoteAlias, notTheModel, ownModelName } from '../../catalogue/api/model-field.ts';
import { videoCapabilitiesObject, videoCapabilitiesSchema } from '../../catalogue/api/video-capabilities.ts';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../catalogue/domain/image-sizes.ts';
import { aliasesFor, findModelName, type ModelAliases } from '../../catalogue/domain/model-aliases.ts';
import type { VideoCapabilities } from '../../catalogue/domain/models.ts';
import { MODELS, VIDEO_MODELS, type VideoModel } from '../../catalogue/domain/models.ts';
import { offeredImageSizes } from '../../images/domain/offered.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { offeredModels, refuseModel } from '../../upstream/domain/capabilities.ts';
import { combineCapabilities } from '../../upstream/domain/needs.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { capabilitySets } from '../../videos/domain/offered.ts';

type ModelName = (typeof MODELS)[number];

/** The settings that decide which models a deployment offers, and under which names. */
export type Catalogue = { readonly aliases: ModelAliases; readonly upstreams: readonly Upstream[] };

/** A name that requests can use, and the model that it stands for. */
export type ListedName = { readonly name: string; readonly model: ModelName };

/** The models, then their aliases: some clients offer only the names that they know. */
export const listNames = ({ aliases, upstreams }: Catalogue): ListedName[] => {
  const models = offeredModels(upstreams);
  return [
    ...models.map((model) => ({ name: model, model })),
    ...models.flatMap((model) => aliasesFor(aliases, model).map((name) => ({ name, model }))),
  ];
};

/** Accepts the prefixes that requests can have. */
export const requireListedName = (
  { aliases, upstreams }: Catalogue,
  given: string,
  noteAlias: NoteAlias,
): ListedName => {
  const name = findModelName(aliases, given);
  const model = ownModelName(aliases, given, noteAlias);
  if (name === undefined || !isOneOf(MODELS, model))
    throw new DomainError('model_not_found', `model ${notTheModel(offeredModels(upstreams))}`, {
      param: 'model',
    });
  const refusal = refuseModel(upstreams, model);
  if (refusal !== undefined) throw refusal;
  return { name, model };
};

export const imageCapabilitiesSchema = z
  .object({
    aspect_ratios: z.array(z.enum(IMAGE_ASPECT_RATIOS)).check(z.describe('The aspect ratios.')),
    sizes: z.array(z.enum(IMAGE_SIZES)).check(z.describe('The resolutions.')),
  })
  .check(z.describe('The options of the image model.'));

export const modelSchema = z
  .object({
    id: z.string().check(z.describe('The name that requests use: a model or an alias.')),
    object: z.literal('model'),
    created: z.int().check(z.gte(0)),
    owned_by: z.string(),
    alias_of: z
      .nullable(z.enum(MODELS))
      .check(z.describe('The model that this alias stands for; null for a model.')),
    aliases: z.array(z.string()).check(z.describe('Other names of the model; empty for an alias.')),
    capabilities: z
      .union([videoCapabilitiesSchema, imageCapabilitiesSchema])
      .check(
        z.describe(
          'The options that this deployment offers with the model. A combination of them may still be refused.',
        ),
      ),
  })
  .check(z.describe('A model of this service, or an alias of one.'));

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

export type ModelObject = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;

/** What at least one upstream can do with the model. */
export const offeredCapabilities = ({ upstreams }: Catalogue, model: VideoModel): VideoCapabilities =>
  combineCapabilities(capabilitySets(upstreams, model));

const capabilitiesObject = (catalogue: Catalogue, model: ModelName): ModelObject['capabilities'] =>
  isOneOf(VIDEO_MODELS, model)
    ? videoCapabilitiesObject(model, offeredCapabilities(catalogue, model))
    : {
        aspect_ratios: [...IMAGE_ASPECT_RATIOS],
        sizes: [...offeredImageSizes(catalogue.upstreams)],
      };

/** The models have no release date, but clients of OpenAI's API require one. */
const RELEASED_AT = 1_767_225_600;

export const modelObject = (catalogue: Catalogue, { name, model }: ListedName): ModelObject => ({
  id: name,
  object: 'model',
  created: RELEASED_AT,
  owned_by: 'media-generation',
  alias_of: name === model ? null : model,
  aliases: name === model ? aliasesFor(catalogue.aliases, model) : [],
  capabilities: capabilitiesObject(catalogue, model),
});

export const modelList = (catalogue: Catalogue): ModelList => ({
  object: 'list',
  data: listNames(catalogue).map((listed) => modelObject(catalogue, listed)),
});
