import { openAiDialect } from '../../platform/api/errors.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { GeneratedImage } from '../domain/image-request.ts';
import { HEARTBEAT, HEARTBEAT_MILLISECONDS, heartbeatsUntil, namedEvent } from './event-stream.ts';
import { completedEvent, type EventOptions } from './images-response.ts';

/** The one event of a streamed image, or of its failure: the status went out long before. */
export async function* imageEvents(
  outcome: Promise<GeneratedImage | DomainError>,
  options: EventOptions,
  heartbeatInterval = HEARTBEAT_MILLISECONDS,
): AsyncGenerator<string> {
  yield HEARTBEAT;
  yield* heartbeatsUntil(outcome, heartbeatInterval);
  const generated = await outcome;
  if (generated instanceof DomainError) {
    yield namedEvent('error', openAiDialect.errorBody(generated));
    return;
  }
  const event = completedEvent(options, generated);
  yield namedEvent(event.type, event);
}
