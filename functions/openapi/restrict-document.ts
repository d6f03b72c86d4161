import { isDeepStrictEqual } from 'node:util';
import { describeVideoModels } from '../catalogue/domain/describe-models.ts';
import { BUILT_IN_ALIASES, type DefaultModels, resolveModel } from '../catalogue/domain/model-aliases.ts';
import { ANY_VIDEO_MODEL, MODELS, pixelSizes, VIDEO_MODELS } from '../catalogue/domain/models.ts';
import { modelExamples } from '../models/api/model-examples.ts';
import { listed } from '../platform/domain/errors.ts';
import { offeredImageParts, offeredModels, offersEverything } from '../upstream/domain/capabilities.ts';
import { combineCapabilities } from '../upstream/domain/needs.ts';
import type { Upstream } from '../upstream/domain/upstreams.ts';
import { capabilitySets } from '../videos/domain/offered.ts';
import {
  isNode,
  mapFields,
  type Node,
  pickFields,
  toList,
  toNode,
  usedComponents,
  usedTags,
} from './json-node.ts';
import { servedImage, servedVideo } from './offered-examples.ts';
import { imageRules, isAccepted, offeredSizes, restrictSchema, videoRules } from './offered-fields.ts';

/**
 * Restricts the requests that create something to what the upstreams of a deployment offer. Responses and filters keep
 * all values, since older videos and images have them.
 */

type Medium = 'video' | 'image';

const CREATE_OPERATIONS: Readonly<Record<string, Medium>> = {
  createVideo: 'video',
  createGeneration: 'video',
  predictLongRunning: 'video',
  generateContent: 'image',
  streamGenerateContent: 'image',
  predict: 'image',
  createChatCompletion: 'image',
  generateImages: 'image',
  editImages: 'image',
};

const CREATE_SCHEMAS: Readonly<Record<string, Medium>> = {
  CreateVideo: 'video',
  CreateVideoForm: 'video',
  NativeVideoRequest: 'video',
  ImageConfig: 'image',
  NativeRequest: 'image',
  ImagenRequest: 'image',
  ChatRequest: 'image',
  GenerateImages: 'image',
  EditImages: 'image',
  EditImagesForm: 'image',
};

/** What a deployment offers, as the document needs it. */
const readOffer = (upstreams: readonly Upstream[], defaults: DefaultModels) => {
  const models: readonly string[] = offeredModels(upstreams);
  const videoModels = VIDEO_MODELS.filter((model) => models.includes(model));
  const isModel = (name: unknown) =>
    typeof name === 'string' && models.includes(resolveModel(BUILT_IN_ALIASES, name));
  const can = combineCapabilities(videoModels.flatMap((model) => capabilitySets(upstreams, model)));
  const phrases: readonly (readonly [all: string, offered: string])[] = [
    [describeVideoModels(), describeVideoModels(videoModels)],
    [listed(MODELS), listed(models)],
    [listed(VIDEO_MODELS), listed(videoModels)],
    [listed([...pixelSizes(ANY_VIDEO_MODEL).keys()]), listed(offeredSizes(can))],
  ];
  return {
    upstreams,
    modelExamples: toNode(modelExamples(upstreams)),
    videoModels,
    isModel,
    defaults,
    offers: { video: videoModels.length > 0, image: models.length > videoModels.length },
    rules: { video: videoRules(can, isModel), image: imageRules(offeredImageParts(upstreams)) },
    /** Replaces lists of values in a description. */
    reword: (text: string) => phrases.reduce((words, [all, offered]) => words.replace(all, offered), text),
  };
};
type Offer = ReturnType<typeof readOffer>;

/** Returns the same text if the deployment leaves out no operation, and its upstreams offer everything. */
export const restrictDocument = (
  text: string,
  {
    upstreams,
    defaults = {},
  }: { readonly upstreams: readonly Upstream[]; readonly defaults?: DefaultModels },
  leftOut: readonly string[] = [],
): string => {
  const hasDefaults = Object.keys(defaults).length > 0;
  if (leftOut.length === 0 && !hasDefaults && offersEverything(upstreams)) return text;
  const document = toNode(JSON.parse(text));
  const components = toNode(document.components);
  const offer = readOffer(upstreams, defaults);
  const included = includedPaths(document.paths, leftOut);
  const paths = restrictPaths(included, toNode(components.parameters), offer);
  const schemas = mapFields(components.schemas, (schema, name) => restrictComponent(schema, name, offer));
  const parameters = mapFields(components.parameters, (parameter, name) =>
    name === 'Model' ? restrictParameter(parameter, offer) : parameter,
  );
  return JSON.stringify({
    ...document,
    tags: usedTags(document.tags, paths),
    paths,
    components: usedComponents({ ...components, schemas, parameters }, paths),
  });
};

const includedPaths = (paths: unknown, leftOut: readonly string[]): Node =>
  pickPaths(paths, (operation) =>
    leftOut.includes(String(toNode(operation).operationId)) ? undefined : operation,
  );

/** A path without operations is left out. */
const pickPaths = (paths: unknown, change: (operation: unknown) => unknown): Node =>
  pickFields(paths, (path) => {
    const operations = pickFields(path, change);
    return Object.keys(operations).length === 0 ? undefined : operations;
  });

const restrictPaths = (paths: unknown, parameters: Node, offer: Offer): Node =>
  pickPaths(paths, (operation) => {
    const node = toNode(operation);
    const medium = CREATE_OPERATIONS[String(node.operationId)];
    if (medium === undefined) return withModelExamples(node, offer);
    // No request of the operation could succeed.
    return offer.offers[medium] ? restrictOperation(node, medium, parameters, offer) : undefined;
  });

/** The operations of the models return what the deployment offers. */
const withModelExamples = (operation: Node, offer: Offer): Node => {
  const examples = offer.modelExamples[String(operation.operationId)];
  if (examples === undefined) return operation;
  const values = mapFields(examples, (value) => ({ value }));
  const responses = mapFields(operation.responses, (response, status) =>
    status === '200'
      ? {
          ...toNode(response),
          content: mapFields(toNode(response).content, (body) => ({ ...toNode(body), examples: values })),
        }
      : response,
  );
  return { ...operation, responses };
};

const restrictOperation = (operation: Node, medium: Medium, parameters: Node, offer: Offer): Node => {
  const requestBody = toNode(operation.requestBody);
  const content = mapFields(requestBody.content, (body) => restrictBody(toNode(body), medium, offer));
  return {
    ...operation,
    description: offer.reword(String(operation.description)),
    parameters: toList(operation.parameters).map((parameter) => inlineModel(parameter, parameters, offer)),
    requestBody: { ...requestBody, content },
  };
};

/** Other operations with the same parameter also accept models that were offered earlier. */
const inlineModel = (reference: unknown, parameters: Node, offer: Offer): unknown => {
  const [name = ''] = String(toNode(reference).$ref).split('/').slice(-1);
  const parameter = toNode(parameters[name]);
  if (parameter.name !== 'model') return reference;
  const restricted = restrictParameter(parameter, offer);
  return isDeepStrictEqual(restricted, parameter) ? reference : restricted;
};

const restrictParameter = (parameter: unknown, { isModel, reword }: Offer): unknown => {
  const schema = toNode(toNode(parameter).schema);
  const names = toList(schema.enum).filter(isModel);
  return {
    ...toNode(parameter),
    schema: { ...schema, description: reword(String(schema.description)), enum: names },
  };
};

const restrictBody = (body: Node, medium: Medium, offer: Offer): Node => {
  const rules = offer.rules[medium];
  const examples = pickFields(body.examples, (example) => {
    const { value } = toNode(example);
    const served = medium === 'video' ? servedVideo(value, { ...offer, rules }) : servedImage(value, rules);
    return served === undefined ? undefined : { ...toNode(example), value: served };
  });
  const encoding = pickFields(body.encoding, (field, name) =>
    isAccepted(undefined, rules.get(name)) ? field : undefined,
  );
  return { ...body, ...(body.encoding === undefined ? {} : { encoding }), examples };
};

const NOTES: Readonly<Record<Medium, string>> = {
  video: 'This deployment offers only some of the options: GET /v1/models lists them.',
  image: 'This deployment offers only some of the options.',
};

const restrictComponent = (schema: unknown, name: string, offer: Offer): unknown => {
  const medium = CREATE_SCHEMAS[name];
  if (medium === undefined) return schema;
  const complete = withDefaultModel(toNode(schema), offer.defaults[medium]);
  const restricted = toNode(restrictSchema(complete, offer.rules[medium]));
  if (isDeepStrictEqual(restricted, complete)) return complete;
  return rewordAll({ ...restricted, description: `${restricted.description} ${NOTES[medium]}` }, offer);
};

/** The native formats have the model in the path. */
const withDefaultModel = (schema: Node, model: string | undefined): Node => {
  const field = toNode(toNode(schema.properties).model);
  if (model === undefined || field.description === undefined) return schema;
  const properties = {
    ...toNode(schema.properties),
    model: { ...field, description: `${field.description} Default: ${model}.` },
  };
  return { ...schema, properties, required: toList(schema.required).filter((name) => name !== 'model') };
};

const rewordAll = (value: unknown, offer: Offer): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewordAll(item, offer));
  if (!isNode(value)) return value;
  return mapFields(value, (item, name) =>
    name === 'description' && typeof item === 'string' ? offer.reword(item) : rewordAll(item, offer),
  );
};
