import { openAiDialect } from '../../platform/api/errors.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { GeneratedImage } from '../domain/image-request.ts';
import {
  dataUri,
  type Envelope,
  envelopeOf,
  finishReason,
  imageList,
  leadingText,
  usageOf,
} from './chat-completion.ts';
import type { ChatRequest } from './chat-request.ts';
import { dataEvent, HEARTBEAT_MILLISECONDS, heartbeatsUntil } from './event-stream.ts';

/** Clients search every event for its end from the start again: short events keep a large image quick. */
const PIECE_CHARACTERS = 65_536;
const DONE = 'data: [DONE]\n\n';

type Options = Envelope & Pick<ChatRequest, 'imagePlace' | 'includeUsage'>;

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS)
    yield text.slice(start, start + PIECE_CHARACTERS);
}

function* deltas(generated: GeneratedImage, { imagePlace }: Options): Generator<object> {
  if (imagePlace === 'list') {
    if (generated.text !== '') yield { content: generated.text };
    yield { images: imageList(generated) };
    return;
  }
  yield { content: `${leadingText(generated)}![image](` };
  for (const content of pieces(dataUri(generated))) yield { content };
  yield { content: ')' };
}

/** The events of one completion. A failure comes as an event too: the status went out long before. */
export async function* chatEvents(
  outcome: Promise<GeneratedImage | DomainError>,
  options: Options,
  heartbeatInterval = HEARTBEAT_MILLISECONDS,
): AsyncGenerator<string> {
  const envelope = envelopeOf(options, 'chat.completion.chunk');
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    dataEvent({ ...envelope, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });

  yield chunk({ role: 'assistant', content: '' });
  yield* heartbeatsUntil(outcome, heartbeatInterval);
  const generated = await outcome;
  if (generated instanceof DomainError) {
    yield dataEvent(openAiDialect.errorBody(generated));
    yield DONE;
    return;
  }
  for (const delta of deltas(generated, options)) yield chunk(delta);
  yield chunk({}, finishReason(generated));
  if (options.includeUsage) yield dataEvent({ ...envelope, choices: [], usage: usageOf(generated.tokens) });
  yield DONE;
}
