import { toSecretHint } from '../../../functions/webhooks/domain/webhook-signature.ts';
import type { DueDelivery, WebhookDeliveries } from '../../../functions/webhooks/domain/webhook-stores.ts';
import type {
  WebhookDelivery,
  WebhookDescription,
  WebhookEndpoint,
} from '../../../functions/webhooks/domain/webhooks.ts';
import type { Deliverer } from '../../../functions/webhooks/usecases/deliver-webhooks.ts';
import type { Call } from './call.ts';

const describe = ({ secret, oldSecret: _, ...endpoint }: WebhookEndpoint): WebhookDescription => ({
  ...endpoint,
  secretHint: toSecretHint(secret),
});

/** The table of endpoints, as far as deliveries need it. */
export class MemoryEndpoints {
  readonly #items: Map<string, WebhookEndpoint>;

  constructor(endpoints: readonly WebhookEndpoint[] = []) {
    this.#items = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  }

  readonly find = (account: string, id: string): WebhookEndpoint | undefined => {
    const endpoint = this.#items.get(id);
    return endpoint?.account === account ? endpoint : undefined;
  };

  readonly list = (account: string): WebhookDescription[] =>
    [...this.#items.values()]
      .filter((endpoint) => endpoint.account === account)
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .map(describe);

  readonly saveHealth = ({
    id,
    updatedAt,
    failingSince,
    respondsQuickly,
    disabled,
  }: Pick<WebhookEndpoint, 'id' | 'updatedAt' | 'failingSince' | 'respondsQuickly' | 'disabled'>): void => {
    const endpoint = this.#items.get(id);
    if (endpoint?.updatedAt === updatedAt)
      this.#items.set(id, { ...endpoint, failingSince, respondsQuickly, disabled });
  };

  readonly remove = (id: string): boolean => this.#items.delete(id);
}

/** The table of deliveries with its conditions and its due index. */
export class MemoryDeliveries {
  readonly #items = new Map<string, WebhookDelivery>();

  readonly add = (delivery: WebhookDelivery): void => {
    if (!this.#items.has(delivery.id)) this.#items.set(delivery.id, delivery);
  };

  readonly find = (endpointId: string, id: string): WebhookDelivery | undefined => {
    const delivery = this.#items.get(id);
    return delivery?.endpointId === endpointId ? delivery : undefined;
  };

  readonly save = (next: WebhookDelivery, readAttempts: number): boolean => {
    if (this.#items.get(next.id)?.attempts !== readAttempts) return false;
    this.#items.set(next.id, next);
    return true;
  };

  readonly postpone = ({ id, endpointId, attempts }: DueDelivery, nextAt: number): boolean => {
    const delivery = this.find(endpointId, id);
    if (delivery?.nextAt === undefined || delivery.attempts !== attempts) return false;
    this.#items.set(id, { ...delivery, nextAt });
    return true;
  };

  readonly due = (until: number): DueDelivery[] =>
    this.all()
      .filter(({ nextAt }) => nextAt !== undefined && nextAt <= until)
      .map(({ id, endpointId, attempts, event }) => ({ id, endpointId, attempts, account: event.account }));

  readonly all = (): WebhookDelivery[] => [...this.#items.values()];
}

export const endpointsPort = (endpoints: MemoryEndpoints, call: Call): Deliverer['endpoints'] => ({
  find: (...given) => call('endpoints.find', () => endpoints.find(...given)),
  list: (...given) => call('endpoints.list', () => endpoints.list(...given)),
  saveHealth: (...given) => call('endpoints.saveHealth', () => endpoints.saveHealth(...given)),
});

export const deliveriesPort = (
  deliveries: MemoryDeliveries,
  call: Call,
): Omit<WebhookDeliveries, 'page'> => ({
  add: (delivery) => call('deliveries.add', () => deliveries.add(delivery)),
  find: (...given) => call('deliveries.find', () => deliveries.find(...given)),
  save: (...given) => call('deliveries.save', () => deliveries.save(...given), false),
  postpone: (...given) => call('deliveries.postpone', () => deliveries.postpone(...given)),
  due: async function* (before) {
    yield* await call('deliveries.due', () => deliveries.due(before));
  },
});
