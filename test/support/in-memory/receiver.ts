import type { DeliveryAttempt, WebhookEvent } from '../../../functions/webhooks/domain/webhooks.ts';

/** An endpoint that answers with these statuses first, and then always with 200. */
export class MemoryReceiver {
  readonly received: WebhookEvent[] = [];
  readonly accepted = new Set<string>();
  lastAt = 0;
  readonly #statuses: number[];

  constructor(statuses: readonly number[]) {
    this.#statuses = [...statuses];
  }

  readonly receive = (event: WebhookEvent, now: number): DeliveryAttempt => {
    this.received.push(event);
    this.lastAt = now;
    const statusCode = this.#statuses.shift() ?? 200;
    if (statusCode === 200) this.accepted.add(event.id);
    return { at: now, durationMs: 0, statusCode, answer: '', error: undefined };
  };
}
