import * as z from 'zod/mini';
import { chargePageSchema, chargeSchema } from '../../accounts/api/charge-object.ts';
import {
  createdKeySchema,
  deletedKeySchema,
  keyListSchema,
  keySchema,
  newKeySchema,
  newServiceAccountKeySchema,
  serviceAccountKeySchema,
} from '../../accounts/api/key-object.ts';
import { rateLimitListSchema, spendLimitSchema } from '../../accounts/api/limit-object.ts';
import {
  currentSessionSchema,
  endedSessionSchema,
  linkSchema,
  sessionListSchema,
  sessionSchema,
  signInSchema,
} from '../../accounts/api/session-object.ts';
import {
  amountSchema,
  costPageSchema,
  imageUsagePageSchema,
  videoUsagePageSchema,
} from '../../accounts/api/usage-object.ts';
import { createFileFormSchema, createUploadSchema } from '../../files/api/create-file.ts';
import {
  createdFileSchema,
  deletedFileSchema,
  fileListSchema,
  fileSchema,
} from '../../files/api/file-object.ts';
import { chatChunkSchema, chatCompletionSchema } from '../../images/api/chat-completion.ts';
import { chatRequestSchema } from '../../images/api/chat-request.ts';
import { imageConfig } from '../../images/api/config.ts';
import {
  editImagesFormSchema,
  editImagesSchema,
  generateImagesSchema,
} from '../../images/api/images-request.ts';
import { imageEventSchema, imagesResponseSchema } from '../../images/api/images-response.ts';
import {
  nativeRequestSchema,
  nativeResponseListSchema,
  nativeResponseSchema,
} from '../../images/api/native-image.ts';
import {
  modelListSchema,
  modelSchema,
  nativeModelListSchema,
  nativeModelSchema,
} from '../../models/api/models.ts';
import { createVideoSchema, referenceImage } from '../../videos/api/create-video.ts';
import { createdGenerationSchema, generationSchema } from '../../videos/api/generation-object.ts';
import { nativeOperationSchema, nativeVideoRequestSchema } from '../../videos/api/native-video.ts';
import { videoListSchema } from '../../videos/api/video-list.ts';
import {
  createdVideoSchema,
  deletedVideoSchema,
  taskErrorSchema,
  videoSchema,
} from '../../videos/api/video-object.ts';
import {
  deletedEndpointSchema,
  deliveryListSchema,
  deliverySchema,
  endpointChangeSchema,
  endpointListSchema,
  endpointSchema,
  endpointWithSecretSchema,
  eventTypeListSchema,
  newEndpointSchema,
  rotationSchema,
  webhookTestResultSchema,
  webhookTestSchema,
} from '../../webhooks/api/webhook-schema.ts';
import { openAiErrorSchema } from '../api/errors.ts';
import { image } from '../body/image.ts';
import { MAX_REFERENCE_IMAGES } from '../domain/models.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Zod states the limits of JavaScript's integers, and takes literal ones for any numbers. */
const tidyIntegers = (schema: Schema): void => {
  if (schema.type === 'number' && [schema.const, ...(schema.enum ?? [])].some(Number.isInteger))
    schema.type = 'integer';
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/** A choice of one is that one; generators make needless types of it. */
const tidyChoice = (schema: Schema): void => {
  const [only, ...others] = schema.oneOf ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.oneOf;
  Object.assign(schema, only);
};

/** What Zod writes, as a person would have written it. */
export const tidySchema = ({ jsonSchema }: { readonly jsonSchema: Schema }): void => {
  tidyIntegers(jsonSchema);
  tidyChoice(jsonSchema);
};

const FILE = { type: 'string', format: 'binary' };

/** What a form sends in another way than JSON does: images are files, and metadata is text. */
const FORM_FIELDS: Readonly<Record<string, object>> = {
  input_reference: FILE,
  last_frame: FILE,
  reference_images: { type: 'array', items: FILE, maxItems: MAX_REFERENCE_IMAGES },
  // Without a media type: generators would make a file of it.
  metadata: { type: 'string', description: 'The options as JSON text.' },
};

const isRefused = (field: unknown): boolean => Object.hasOwn(Object(field), 'not');

/** A form sends text alone, so of a number or a flag and its text only the text. */
const asText = (field: Schema): Schema => {
  const texts = field.enum?.filter((value) => typeof value === 'string') ?? [];
  return field.type === undefined && field.anyOf === undefined && texts.length > 0
    ? { ...field, type: 'string', enum: texts }
    : field;
};

/** Generators write code for each field of a form, and can write none for one that takes no value. */
export const withoutRefused = (schema: Schema): Schema => {
  const fields = Object.entries(schema.properties ?? {});
  const refused = fields.filter(([, field]) => isRefused(field)).map(([name]) => name);
  return {
    ...schema,
    description: `${schema.description} Refused are ${refused.join(', ')}.`,
    properties: Object.fromEntries(
      fields
        .filter(([, field]) => !isRefused(field))
        .map(([name, field]) => [name, typeof field === 'boolean' ? field : asText(field)]),
    ),
  };
};

/** The form of the request whose JSON this describes: the same fields, parsed by the same schema. */
export const formSchema = (schema: Schema): Schema =>
  withoutRefused({
    ...schema,
    description:
      'A create request as a form. An image is a file, or input_reference[file_id] and the like with the id of one. Unknown fields are ignored.',
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const inForm = FORM_FIELDS[name];
        return [name, inForm === undefined ? field : { description: Object(field).description, ...inForm }];
      }),
    ),
  });

const PUBLIC_URLS = { allowLoopbackHttp: false };

/** The shapes that the document names. */
const SCHEMAS = {
  Video: videoSchema,
  CreatedVideo: createdVideoSchema,
  VideoList: videoListSchema,
  DeletedVideo: deletedVideoSchema,
  CreatedGeneration: createdGenerationSchema,
  Generation: generationSchema,
  TaskError: taskErrorSchema,
  CreateVideo: createVideoSchema,
  InputImage: image,
  ReferenceImage: referenceImage,
  Model: modelSchema,
  ModelList: modelListSchema,
  NativeModel: nativeModelSchema,
  NativeModelList: nativeModelListSchema,
  ImageConfig: imageConfig,
  NativeVideoRequest: nativeVideoRequestSchema,
  NativeOperation: nativeOperationSchema,
  NativeRequest: nativeRequestSchema,
  NativeResponse: nativeResponseSchema,
  NativeResponseList: nativeResponseListSchema,
  ChatRequest: chatRequestSchema,
  ChatCompletion: chatCompletionSchema,
  ChatCompletionChunk: chatChunkSchema,
  GenerateImages: generateImagesSchema,
  EditImages: editImagesSchema,
  EditImagesForm: editImagesFormSchema,
  ImagesResponse: imagesResponseSchema,
  ImageEvent: imageEventSchema,
  CreateFileForm: createFileFormSchema,
  CreateUpload: createUploadSchema,
  StoredFile: fileSchema,
  CreatedFile: createdFileSchema,
  FileList: fileListSchema,
  DeletedFile: deletedFileSchema,
  SignIn: signInSchema,
  Session: sessionSchema,
  CurrentSession: currentSessionSchema,
  SessionList: sessionListSchema,
  EndedSession: endedSessionSchema,
  SignInLink: linkSchema,
  NewKey: newKeySchema,
  NewServiceAccountKey: newServiceAccountKeySchema,
  Key: keySchema,
  KeyList: keyListSchema,
  CreatedKey: createdKeySchema,
  ServiceAccountKey: serviceAccountKeySchema,
  DeletedKey: deletedKeySchema,
  CostPage: costPageSchema,
  VideoUsagePage: videoUsagePageSchema,
  ImageUsagePage: imageUsagePageSchema,
  Amount: amountSchema,
  Charge: chargeSchema,
  ChargePage: chargePageSchema,
  SpendLimit: spendLimitSchema,
  RateLimitList: rateLimitListSchema,
  NewWebhookEndpoint: newEndpointSchema(PUBLIC_URLS),
  WebhookEndpointChange: endpointChangeSchema(PUBLIC_URLS),
  WebhookSecretRotation: rotationSchema,
  WebhookEndpoint: endpointSchema,
  WebhookEndpointWithSecret: endpointWithSecretSchema,
  WebhookEndpointList: endpointListSchema,
  DeletedWebhookEndpoint: deletedEndpointSchema,
  WebhookTest: webhookTestSchema,
  WebhookTestResult: webhookTestResultSchema,
  WebhookEventTypeList: eventTypeListSchema,
  WebhookDelivery: deliverySchema,
  WebhookDeliveryList: deliveryListSchema,
  ErrorResponse: openAiErrorSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS | 'CreateVideoForm';

const PREFIX = '#/components/schemas/';
export const schemaRef = (name: SchemaName) => ({ $ref: `${PREFIX}${name}` });

export const componentSchemas = (): Record<string, object> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: tidySchema,
  });
  const { CreateVideo = {}, EditImagesForm = {} } = schemas;
  const forms = {
    CreateVideoForm: formSchema(CreateVideo),
    EditImagesForm: withoutRefused(EditImagesForm),
  };
  return Object.fromEntries(
    Object.entries({ ...schemas, ...forms }).map(([id, { $id, $schema, ...schema }]) => [id, schema]),
  );
};
