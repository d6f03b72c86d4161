import * as z from 'zod/mini';
import {
  HEARTBEAT,
  HEARTBEAT_MILLISECONDS,
  heartbeatsUntil,
  namedEvent,
} from '../../images/api/images-response.ts';
import {
  pendingCall,
  type ResponseItem,
  type ResponseObject,
  type ResponseState,
  responseItemSchema,
  responseSchema,
  toResponse,
} from './response-object.ts';

/** The events of a streamed response. They follow from its state, so a later request can continue them. */

const CALL = 'response.image_generation_call';

const LIFECYCLE_EVENTS = [
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.completed',
  'response.failed',
] as const;
const ITEM_EVENTS = ['response.output_item.added', 'response.output_item.done'] as const;
const CALL_EVENTS = [`${CALL}.in_progress`, `${CALL}.generating`, `${CALL}.completed`] as const;

type Event =
  | { readonly type: (typeof LIFECYCLE_EVENTS)[number]; readonly response: ResponseObject }
  | { readonly type: (typeof ITEM_EVENTS)[number]; readonly output_index: 0; readonly item: ResponseItem }
  | { readonly type: (typeof CALL_EVENTS)[number]; readonly output_index: 0; readonly item_id: string }
  | {
      readonly type: `${typeof CALL}.partial_image`;
      readonly output_index: 0;
      readonly item_id: string;
      readonly partial_image_index: 0;
      readonly partial_image_b64: string;
    };

/** Sent before the image is made, whatever follows. */
const openingEvents = (state: ResponseState): Event[] => {
  const { callId: item_id, terms } = state;
  const first = terms.isBackground ? 'queued' : 'in_progress';
  const at = (status: 'queued' | 'in_progress') =>
    toResponse({ ...state, status, image: undefined, failure: undefined, completedAt: undefined });
  return [
    { type: 'response.created', response: at(first) },
    ...(terms.isBackground ? [{ type: 'response.queued' as const, response: at('queued') }] : []),
    { type: 'response.in_progress', response: at('in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: pendingCall(state) },
    { type: `${CALL}.in_progress`, output_index: 0, item_id },
    { type: `${CALL}.generating`, output_index: 0, item_id },
  ];
};

/** A failed response has no image: clients expect one in each finished call. */
const closingEvents = (state: ResponseState): Event[] => {
  const { callId: item_id, image, terms } = state;
  const response = toResponse(state);
  const [item] = response.output;
  if (image === undefined || item === undefined) return [{ type: 'response.failed', response }];
  return [
    ...(terms.hasPartialImage
      ? [
          {
            type: `${CALL}.partial_image` as const,
            output_index: 0 as const,
            item_id,
            partial_image_index: 0 as const,
            partial_image_b64: image.image.base64,
          },
        ]
      : []),
    { type: `${CALL}.completed`, output_index: 0, item_id },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
};

const sequenceNumber = z.int().check(z.gte(0), z.describe('Counts the events of the response.'));
const position = { sequence_number: sequenceNumber, output_index: z.literal(0) };

export const responseEventSchema = z
  .union([
    z.object({ type: z.enum(LIFECYCLE_EVENTS), sequence_number: sequenceNumber, response: responseSchema }),
    z.object({ type: z.enum(ITEM_EVENTS), ...position, item: responseItemSchema }),
    z.object({ type: z.enum(CALL_EVENTS), ...position, item_id: z.string() }),
    z.object({
      type: z.literal(`${CALL}.partial_image`),
      ...position,
      item_id: z.string(),
      partial_image_index: z.literal(0),
      partial_image_b64: z.string(),
    }),
  ])
  .check(z.describe('The data of one event of a streamed response.'));

/** Events after `startingAfter`, with comments while the outcome is awaited. */
export async function* responseEvents(
  opening: ResponseState,
  outcome: Promise<ResponseState>,
  startingAfter = -1,
  heartbeatInterval = HEARTBEAT_MILLISECONDS,
): AsyncGenerator<string> {
  const toChunks = (events: readonly Event[], first: number): string[] =>
    events.flatMap((event, index) => {
      const sequence_number = first + index;
      return sequence_number > startingAfter ? [namedEvent(event.type, { ...event, sequence_number })] : [];
    });

  const begun = openingEvents(opening);
  yield HEARTBEAT;
  yield* toChunks(begun, 0);
  yield* heartbeatsUntil(outcome, heartbeatInterval);
  yield* toChunks(closingEvents(await outcome), begun.length);
}
