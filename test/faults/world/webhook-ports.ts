import type { WebhookDeliveries, WebhookQueue } from '../../../functions/webhooks/domain/webhook-delivery.ts';
import type { Deliverer } from '../../../functions/webhooks/usecases/deliver-webhooks.ts';
import type { Invocation } from './invocation.ts';
import type { Stores } from './ports.ts';

/** The ports of the webhook worker as one invocation has them: every call passes the gate in its name. */

/** Where the scenario has no endpoints, events are noted and nobody takes them up. */
export const webhooksOf = (
  { gate, told, webhookQueue, receivers }: Stores,
  invocation: Invocation,
): WebhookQueue => {
  const isHeard = receivers.size > 0;
  return {
    send: (message, delay) =>
      gate.pass(invocation, 'webhooks.send', () => {
        if (message.kind === 'event') told.push(message.event);
        if (isHeard) webhookQueue.send(message, delay);
      }),
    sendAll: (messages) =>
      gate.pass(invocation, 'webhooks.sendAll', () => {
        for (const message of messages) webhookQueue.send(message, 0);
        return [];
      }),
  };
};

export const deliveriesOf = (
  { gate, deliveries }: Stores,
  invocation: Invocation,
): Omit<WebhookDeliveries, 'page'> => ({
  add: (delivery) => gate.pass(invocation, 'deliveries.add', () => deliveries.add(delivery)),
  find: (...given) => gate.pass(invocation, 'deliveries.find', () => deliveries.find(...given)),
  save: (...given) => gate.pass(invocation, 'deliveries.save', () => deliveries.save(...given), false),
  postpone: (...given) => gate.pass(invocation, 'deliveries.postpone', () => deliveries.postpone(...given)),
  due: async function* (before) {
    yield* await gate.pass(invocation, 'deliveries.due', () => deliveries.due(before));
  },
});

export const endpointsOf = ({ gate, endpoints }: Stores, invocation: Invocation): Deliverer['endpoints'] => ({
  find: (...given) => gate.pass(invocation, 'endpoints.find', () => endpoints.find(...given)),
  list: (...given) => gate.pass(invocation, 'endpoints.list', () => endpoints.list(...given)),
  noteHealth: (...given) =>
    gate.pass(invocation, 'endpoints.noteHealth', () => endpoints.noteHealth(...given)),
});

export const senderOf = ({ gate, receivers, time }: Stores, invocation: Invocation): Deliverer['sender'] => ({
  sendUnlessSlow: ({ url }, event) =>
    gate.pass(invocation, 'sender.send', () => {
      const receiver = receivers.get(url);
      if (receiver === undefined) throw new Error(`nobody listens at ${url}`);
      return receiver.receive(event, time.now());
    }),
});
