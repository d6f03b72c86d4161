import { invalidField, listed } from '../domain/errors.ts';
import { type ImageConfig, type ImagePart, type ImageTurn, textPart } from '../domain/image-request.ts';
import { isOneOf } from '../domain/models.ts';
import { fieldOf, isFields } from './body-fields.ts';
import { readContent, readEarlierAnswer, readTextContent } from './chat-content.ts';
import { namedField, readImageConfig, readObject } from './image-config.ts';
import { isTooDeep } from './json-depth.ts';

const ROLES = ['system', 'developer', 'user', 'assistant'] as const;
const CONFIG_NAMES = ['aspectRatio', 'imageSize'];

type Message =
  | { readonly kind: 'config'; readonly config: ImageConfig }
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'user'; readonly parts: readonly ImagePart[] }
  | { readonly kind: 'answer'; readonly text: string; readonly images: readonly ImagePart[] };

export type Conversation = {
  readonly turns: readonly ImageTurn[];
  readonly systemInstruction: string | undefined;
  /** Configurations that came as system messages. */
  readonly configs: readonly ImageConfig[];
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The configuration that a system message is, or undefined where it is an instruction. */
const readConfigMessage = (param: string, text: string): ImageConfig | undefined => {
  const parsed = text.trimStart().startsWith('{') && !isTooDeep(text) ? parseJson(text) : undefined;
  if (!isFields(parsed)) return undefined;
  const wrapped = namedField(parsed, 'imageConfig');
  if (wrapped !== undefined) return readImageConfig(`${param}.imageConfig`, wrapped);
  const isConfig = CONFIG_NAMES.some((name) => namedField(parsed, name) !== undefined);
  return isConfig ? readImageConfig(param, parsed) : undefined;
};

const readMessage = (param: string, value: unknown): Message => {
  const message = readObject(param, value) ?? {};
  const role = fieldOf(message, 'role');
  if (!isOneOf(ROLES, role))
    throw invalidField(`${param}.role`, `${param}.role must be one of ${listed(ROLES)}.`);
  if (role === 'assistant') return { kind: 'answer', ...readEarlierAnswer(param, message) };
  const place = [`${param}.content`, fieldOf(message, 'content')] as const;
  if (role === 'user') return { kind: 'user', parts: readContent(...place) };
  const text = readTextContent(...place);
  const config = readConfigMessage(place[0], text);
  return config === undefined ? { kind: 'instruction', text } : { kind: 'config', config };
};

/** The upstream wants its signature on images of its own, which chat clients cannot keep: they go to the user's side. */
const turnsOf = (messages: readonly Message[]): ImageTurn[] => {
  const turns: ImageTurn[] = [];
  let earlier: ImagePart[] = [];
  for (const message of messages) {
    if (message.kind === 'answer') {
      if (message.text !== '') turns.push({ role: 'model', parts: [textPart(message.text)] });
      for (const image of message.images) earlier.push(image);
    } else if (message.kind === 'user') {
      turns.push({ role: 'user', parts: [...earlier, ...message.parts] });
      earlier = [];
    }
  }
  turns.push({ role: 'user', parts: earlier });
  return turns.filter(({ parts }) => parts.length > 0);
};

export const readMessages = (value: unknown): Conversation => {
  if (!Array.isArray(value) || value.length === 0)
    throw invalidField('messages', 'messages must be a list with at least one message.');
  const messages = value.map((message, index) => readMessage(`messages[${index}]`, message));
  const instructions = messages.flatMap((message) => (message.kind === 'instruction' ? [message.text] : []));
  return {
    turns: turnsOf(messages),
    systemInstruction: instructions.length === 0 ? undefined : instructions.join('\n\n'),
    configs: messages.flatMap((message) => (message.kind === 'config' ? [message.config] : [])),
  };
};
