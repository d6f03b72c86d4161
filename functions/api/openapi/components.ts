import * as z from 'zod/mini';
import { image } from '../body/image.ts';
import {
  createdKeySchema,
  deletedKeySchema,
  keyListSchema,
  keySchema,
  newKeySchema,
  newServiceAccountKeySchema,
  serviceAccountKeySchema,
} from '../console/key-schema.ts';
import {
  currentSessionSchema,
  endedSessionSchema,
  linkSchema,
  sessionListSchema,
  sessionSchema,
  signInSchema,
} from '../console/session-schema.ts';
import { openAiErrorSchema } from '../error-schema.ts';
import { createFileFormSchema, createUploadSchema } from '../files/create-file.ts';
import { createdFileSchema, deletedFileSchema, fileListSchema, fileSchema } from '../files/file-schema.ts';
import { chatChunkSchema, chatCompletionSchema } from '../images/chat-completion.ts';
import { chatRequestSchema } from '../images/chat-request.ts';
import { imageConfig } from '../images/config.ts';
import { editImagesFormSchema } from '../images/edit-images-form.ts';
import { editImagesSchema, generateImagesSchema } from '../images/images-request.ts';
import { imageEventSchema, imagesResponseSchema } from '../images/images-response.ts';
import { nativeRequestSchema } from '../images/native-request.ts';
import { nativeResponseListSchema, nativeResponseSchema } from '../images/native-response.ts';
import { modelListSchema, modelSchema } from '../models.ts';
import { nativeModelListSchema, nativeModelSchema } from '../native-models.ts';
import { chargePageSchema, chargeSchema } from '../organization/charge-schema.ts';
import { rateLimitListSchema, spendLimitSchema } from '../organization/limit-schema.ts';
import {
  amountSchema,
  costPageSchema,
  imageUsagePageSchema,
  videoUsagePageSchema,
} from '../organization/use-schema.ts';
import { createVideoSchema } from '../videos/create-video.ts';
import { nativeOperationSchema } from '../videos/native-operation.ts';
import { nativeVideoRequestSchema } from '../videos/native-video-request.ts';
import { referenceImage } from '../videos/reference-images.ts';
import {
  createdGenerationSchema,
  createdVideoSchema,
  deletedVideoSchema,
  generationSchema,
  taskErrorSchema,
  videoListSchema,
  videoSchema,
} from '../videos/video-schema.ts';
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
} from '../webhooks/webhook-schema.ts';
import { webhookTestResultSchema, webhookTestSchema } from '../webhooks/webhook-test.ts';
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
