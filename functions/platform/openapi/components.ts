import * as z from 'zod/mini';
import { chargePageSchema, chargeSchema } from '../../accounts/api/charge-schema.ts';
import {
  createdKeySchema,
  deletedKeySchema,
  keyListSchema,
  keySchema,
  newKeySchema,
  newServiceAccountKeySchema,
  serviceAccountKeySchema,
} from '../../accounts/api/key-schema.ts';
import { rateLimitListSchema, spendLimitSchema } from '../../accounts/api/limit-schema.ts';
import {
  currentSessionSchema,
  endedSessionSchema,
  linkSchema,
  sessionListSchema,
  sessionSchema,
  signInSchema,
} from '../../accounts/api/session-schema.ts';
import {
  amountSchema,
  costPageSchema,
  imageUsagePageSchema,
  videoUsagePageSchema,
} from '../../accounts/api/use-schema.ts';
import { createFileFormSchema, createUploadSchema } from '../../files/api/create-file.ts';
import {
  createdFileSchema,
  deletedFileSchema,
  fileListSchema,
  fileSchema,
} from '../../files/api/file-schema.ts';
import { chatChunkSchema, chatCompletionSchema } from '../../images/api/chat-completion.ts';
import { chatRequestSchema } from '../../images/api/chat-request.ts';
import { imageConfig } from '../../images/api/config.ts';
import { editImagesFormSchema } from '../../images/api/edit-images-form.ts';
import { editImagesSchema, generateImagesSchema } from '../../images/api/images-request.ts';
import { imageEventSchema, imagesResponseSchema } from '../../images/api/images-response.ts';
import { nativeRequestSchema } from '../../images/api/native-request.ts';
import { nativeResponseListSchema, nativeResponseSchema } from '../../images/api/native-response.ts';
import { modelListSchema, modelSchema } from '../../models/api/models.ts';
import { nativeModelListSchema, nativeModelSchema } from '../../models/api/native-models.ts';
import { createVideoSchema } from '../../videos/api/create-video.ts';
import { nativeOperationSchema } from '../../videos/api/native-operation.ts';
import { nativeVideoRequestSchema } from '../../videos/api/native-video-request.ts';
import { referenceImage } from '../../videos/api/reference-images.ts';
import {
  createdGenerationSchema,
  createdVideoSchema,
  deletedVideoSchema,
  generationSchema,
  taskErrorSchema,
  videoListSchema,
  videoSchema,
} from '../../videos/api/video-schema.ts';
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
} from '../../webhooks/api/webhook-schema.ts';
import { webhookTestResultSchema, webhookTestSchema } from '../../webhooks/api/webhook-test.ts';
import { openAiErrorSchema } from '../api/error-schema.ts';
import { image } from '../body/image.ts';
import { formSchema, withoutRefused } from './form-schema.ts';
import { tidySchema } from './tidy-schema.ts';

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
