import { invalidField, listed } from '../domain/errors.ts';
import { holdsPrompt, type ImageConfig, type ImageRequest, MODALITIES } from '../domain/image-request.ts';
import { type BodyFields, fieldOf } from './body-fields.ts';
import { readMessages } from './chat-messages.ts';
import { firstOf, readImageConfig, readObject, requireImageModel } from './image-config.ts';
import { readSampling, requireOne } from './sampling.ts';
import { readText } from './typed-fields.ts';

/** How the client wants the image: within the text as markdown, or in a list beside it. */
export type ImagePlace = 'markdown' | 'list';

export type ChatRequest = {
  readonly request: ImageRequest;
  readonly imagePlace: ImagePlace;
  readonly stream: boolean;
  readonly includeUsage: boolean;
};

const CHAT_MODALITIES = ['text', 'image'];

const readFlag = (param: string, value: unknown): boolean => {
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw invalidField(param, `${param} must be true or false.`);
  return value;
};

const readModalities = (value: unknown): readonly unknown[] => {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => CHAT_MODALITIES.includes(item))) return value;
  throw invalidField('modalities', `modalities must be a list of ${listed(CHAT_MODALITIES)}.`);
};

/** SDKs differ in whether they merge `extra_body` into the body, so both places count. */
const readConfigs = (body: BodyFields): ImageConfig[] => {
  const extra = readObject('extra_body', fieldOf(body, 'extra_body')) ?? {};
  const places = [
    ['extra_body.', extra],
    ['', body],
  ] as const;
  return places.flatMap(([prefix, fields]) => {
    const google = readObject(`${prefix}google`, fieldOf(fields, 'google')) ?? {};
    return [
      readImageConfig(`${prefix}imageConfig`, fieldOf(fields, 'imageConfig')),
      readImageConfig(`${prefix}image_config`, fieldOf(fields, 'image_config')),
      readImageConfig(`${prefix}google.image_config`, fieldOf(google, 'image_config')),
    ];
  });
};

export const readChatRequest = (body: BodyFields): ChatRequest => {
  // Clients send null for what they leave to the service.
  const place = (name: string) => [name, fieldOf(body, name) ?? undefined] as const;
  const model = readText(...place('model'));
  if (model === undefined) throw invalidField('model', 'model is required.');
  requireImageModel(model);
  requireOne(...place('n'));
  const limit = place('max_completion_tokens');
  const modalities = readModalities(place('modalities')[1]);
  const { turns, systemInstruction, configs } = readMessages(place('messages')[1]);
  if (!holdsPrompt(turns)) throw invalidField('messages', 'messages must hold text or an image of the user.');
  const streamOptions = readObject(...place('stream_options')) ?? {};
  return {
    request: {
      model: requireImageModel(model),
      turns,
      systemInstruction,
      config: firstOf([...readConfigs(body), ...configs]),
      modalities: modalities.length === 1 && modalities[0] === 'image' ? ['IMAGE'] : MODALITIES,
      sampling: readSampling({
        maxOutputTokens: limit[1] === undefined ? place('max_tokens') : limit,
        temperature: place('temperature'),
        topP: place('top_p'),
        seed: place('seed'),
      }),
    },
    imagePlace: modalities.includes('image') ? 'list' : 'markdown',
    stream: readFlag(...place('stream')),
    includeUsage: readFlag(
      'stream_options.include_usage',
      fieldOf(streamOptions, 'include_usage') ?? undefined,
    ),
  };
};
