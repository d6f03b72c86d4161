import { readChatRequest } from '../../../../functions/images/api/chat-request.ts';
import { readEditImages, readGenerateImages } from '../../../../functions/images/api/images-request.ts';
import { readNativeRequest } from '../../../../functions/images/api/native-image.ts';
import { readImageAction, readRouteModel } from '../../../../functions/models/api/models.ts';
import { nativeDialect, openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { readIdempotencyKey } from '../../../../functions/platform/api/parameters.ts';
import { type BodyFields, parseBody } from '../../../../functions/platform/body/parse.ts';
import { readBody, readJsonContent } from '../../../../functions/platform/body/request-body.ts';
import { readVideoDraft } from '../../../../functions/videos/api/create-video.ts';
import { readFileTaskId } from '../../../../functions/videos/api/native-video.ts';
import { readListQuery } from '../../../../functions/videos/api/video-list.ts';
import { readDeliveryQuery, readEndpointQuery } from '../../../../functions/webhooks/api/webhook-object.ts';
import { newEndpointSchema } from '../../../../functions/webhooks/api/webhook-schema.ts';
import { requireModel } from '../../../../lib/sample-generator/exchange.ts';
import { readPrompt } from '../../../../lib/sample-generator/read-test-prompts.ts';
import { captionScript } from '../../../../lib/sample-generator/render/caption.ts';
import { MODEL } from '../../../support/http.ts';
import { IMAGE_MODEL } from '../../../support/images/pictures.ts';
import { PNG } from '../../../support/images.ts';

export type TextReader = (text: string) => unknown;

const chat = (message: object, fields: object = {}) =>
  readChatRequest({ model: IMAGE_MODEL, messages: [message], ...fields });
const chatUrl = (url: string) => chat({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
const native = (part: object, fields: object = {}) =>
  readNativeRequest(IMAGE_MODEL, { contents: [{ parts: [part] }], ...fields });
const ENDPOINT = { name: 'Hook', url: 'https://hooks.example.com', event_types: ['video.failed'] };
const webhook = (fields: object) =>
  parseBody(newEndpointSchema({ allowLoopbackHttp: true }), { ...ENDPOINT, ...fields });
const create = (fields: BodyFields) => readVideoDraft({ model: MODEL, prompt: 'a fox', ...fields });

const BOUNDARY = 'boundary';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (disposition: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}${more}\r\n\r\n${value}\r\n`;
const form = async (...parts: readonly string[]) =>
  readVideoDraft(
    await readBody(
      FORM_TYPE,
      Buffer.from([part('name="model"', MODEL), ...parts, `--${BOUNDARY}--\r\n`].join('')),
    ),
  );

const CANVAS = { width: 1280, height: 720, seed: 1, threads: 1, output: '', folder: '', label: 'label' };
const SHOWING = { from: 0, to: 1, fadeIn: true, fadeOut: true };

/** Every place where the service or its sample generator reads what a client wrote. */
export const TEXT_READERS: Readonly<Record<string, TextReader>> = {
  'a chat message of the user': (content) => chat({ role: 'user', content }),
  'a chat message of the system': (content) => chat({ role: 'system', content }),
  'an earlier chat answer': (content) => chat({ role: 'assistant', content }),
  'an earlier chat answer in parts': (text) => chat({ role: 'assistant', content: [{ type: 'text', text }] }),
  'a chat image': chatUrl,
  'a chat image with a type': (type) => chatUrl(`data:${type};base64,AAAA`),
  'a chat role': (role) => chat({ role, content: 'a fox' }),
  'a chat model': (model) => chat({ role: 'user', content: 'a fox' }, { model }),
  'a chat configuration': (aspectRatio) =>
    chat({ role: 'user', content: 'a fox' }, { imageConfig: { aspectRatio, imageSize: aspectRatio } }),
  'a prompt of the Images API': (prompt) => readGenerateImages({ prompt }),
  'options of the Images API': (text) => readGenerateImages({ prompt: 'a fox', size: text, n: text }),
  'an image of an edit': (image) => readEditImages({ prompt: 'a fox', image }),
  'a native text': (text) => native({ text }),
  'a native image': (data) => native({ inlineData: { data, mimeType: 'image/png' } }),
  'a native image type': (mimeType) => native({ inlineData: { data: PNG.toString('base64'), mimeType } }),
  'a native instruction': (text) => native({ text }, { systemInstruction: { parts: [{ text }] } }),
  'a native modality': (text) =>
    native({ text: 'a fox' }, { generationConfig: { responseModalities: [text] } }),
  'a native model and action': readImageAction,
  'a native route': readRouteModel,
  'the name of a file': readFileTaskId,
  'a prompt in JSON': (prompt) => create({ prompt }),
  'a negative prompt in JSON': (negativePrompt) => create({ negativePrompt }),
  'numbers in JSON': (text) => create({ seconds: text, seed: text }),
  'a size in JSON': (size) => create({ size }),
  'an image in JSON': (text) => create({ input_reference: text }),
  'Base64 in JSON': (text) =>
    create({ input_reference: { bytesBase64Encoded: text, mimeType: 'image/png' } }),
  'a reference type in JSON': (referenceType) => create({ referenceType }),
  'metadata in JSON': (metadata) => create({ metadata }),
  'a JSON body': (text) => readJsonContent('application/json', text),
  'a content type': (type) => readBody(type, '{}'),
  'a prompt in a form': (text) => form(part('name="prompt"', text)),
  'metadata in a form': (text) => form(part('name="metadata"', text)),
  "a form field's name": (text) => form(part(`name="${text}"`, 'x')),
  "a form field's short name": (text) => form(part(`name="${text.slice(0, 200)}"`, 'x')),
  "a form file's name": (text) => form(part(`name="input_reference"; filename="${text}"`, 'x')),
  "a form file's type": (text) =>
    form(part('name="input_reference"; filename="x"', 'x', `\r\nContent-Type: ${text}`)),
  'a form without parts': (text) => readBody(FORM_TYPE, Buffer.from(text)),
  'a list query': (text) => readListQuery((name) => (name === 'after' ? text : undefined)),
  'the limit of a list': (text) => readListQuery((name) => (name === 'limit' ? text : undefined)),
  'the order of a list': (text) => readListQuery((name) => (name === 'order' ? text : undefined)),
  'the name of a webhook endpoint': (name) => webhook({ name }),
  'the address of a webhook endpoint': (url) => webhook({ url }),
  'the path of a webhook address': (text) => webhook({ url: `https://hooks.example.com/${text}` }),
  'the host of a webhook address': (text) => webhook({ url: `https://${text}.example.com/` }),
  'an event type of a webhook endpoint': (text) => webhook({ event_types: [text] }),
  'a list of webhook endpoints': (text) => readEndpointQuery((name) => (name === 'after' ? text : undefined)),
  'a list of deliveries': (text) => readDeliveryQuery((name) => (name === 'after' ? text : undefined)),
  'an idempotency key': readIdempotencyKey,
  'a key of the OpenAI form': (text) =>
    openAiDialect.readApiKey({ header: () => `Bearer ${text}`, query: () => undefined }),
  'a key of the native form': (text) =>
    nativeDialect.readApiKey({
      header: (name) => (name === 'authorization' ? `Bearer ${text}` : undefined),
      query: () => undefined,
    }),
  'the test prompts for a video': (text) => readPrompt(text, 'video'),
  'the test prompts for an image': (text) => readPrompt(text, 'image'),
  'a model of the sample generator': (text) => requireModel(text, 'image', 'generateContent'),
  'a caption': (prompt) => captionScript({ ...CANVAS, kind: 'image', references: [], prompt }, SHOWING),
};
