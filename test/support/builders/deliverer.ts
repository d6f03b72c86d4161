import { setImmediate as nextTurn } from 'node:timers/promises';
import { slotShares } from '../../../functions/platform/domain/fair-share.ts';
import type { LogFields } from '../../../functions/platform/domain/log-events.ts';
import { QUICK_ANSWER } from '../../../functions/webhooks/domain/webhook-delivery.ts';
import type { WebhookMessage } from '../../../functions/webhooks/domain/webhook-stores.ts';
import type {
  DeliveryAttempt,
  WebhookEndpoint,
  WebhookEvent,
} from '../../../functions/webhooks/domain/webhooks.ts';
import type { Deliverer } from '../../../functions/webhooks/usecases/deliver-webhooks.ts';
import type { Call } from '../in-memory/call.ts';
import { MemorySlowSteps, slowStepsPort } from '../in-memory/slow-steps.ts';
import { deliveriesPort, endpointsPort, MemoryDeliveries, MemoryEndpoints } from '../in-memory/webhooks.ts';

/** Answers a turn later, as a real port does, so that a missing `await` is noticed. */
const callLater: Call = async (_name, apply) => {
  await nextTurn();
  return apply();
};

export const NOW = Date.UTC(2026, 0, 1);

/** An endpoint's answer, or with no status the lack of one. */
export const anAttempt = (statusCode: number | undefined, at = NOW): DeliveryAttempt => ({
  at,
  durationMs: statusCode === undefined ? 10_000 : 100,
  statusCode,
  answer: statusCode === undefined ? undefined : '',
  error: statusCode === undefined ? 'No answer within 10 seconds.' : undefined,
});

/** A webhook worker on stores in memory, which keeps what it sends, where to, and what it logs. */
export const buildDeliverer = (
  endpoints: readonly WebhookEndpoint[],
  answer: (event: WebhookEvent) => DeliveryAttempt = () => anAttempt(200),
) => {
  const stores = {
    endpoints: new MemoryEndpoints(endpoints),
    deliveries: new MemoryDeliveries(),
    slowSteps: new MemorySlowSteps(slotShares(10)),
  };
  const clock = { now: NOW };
  const sent: { readonly message: WebhookMessage; readonly delayMs: number }[] = [];
  /** The secrets that each request is signed with. */
  const signers: string[][] = [];
  const posted: { readonly url: string; readonly event: WebhookEvent }[] = [];
  const logged: (readonly [event: string, fields: LogFields])[] = [];
  const errors: (readonly [event: string, fields: LogFields])[] = [];
  const deliverer: Deliverer = {
    endpoints: endpointsPort(stores.endpoints, callLater),
    deliveries: deliveriesPort(stores.deliveries, callLater),
    queue: {
      send: (message, delayMs) => callLater('webhooks.send', () => void sent.push({ message, delayMs })),
      sendAll: async (messages) => {
        sent.push(...messages.map((message) => ({ message, delayMs: 0 })));
        return [];
      },
    },
    sender: {
      sendUnlessSlow: async (receiver, event, mayWait) => {
        posted.push({ url: receiver.url, event });
        signers.push(('signers' in receiver ? receiver.signers : [receiver]).map(({ secret }) => secret));
        const attempt = answer(event);
        return attempt.durationMs <= QUICK_ANSWER || (await mayWait()) ? attempt : undefined;
      },
    },
    slowSteps: slowStepsPort(stores.slowSteps),
    logger: {
      info: (event, fields) => void logged.push([event, fields]),
      error: (event, _, fields) => void errors.push([event, fields]),
    },
    now: () => clock.now,
    random: () => 0,
  };
  return { deliverer, stores, clock, sent, posted, signers, logged, errors };
};
