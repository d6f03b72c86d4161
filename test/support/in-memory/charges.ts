import type { ChargeRecord } from '../../../functions/domain/billing.ts';

/** The charge table: a record is written once. */
export class MemoryCharges {
  readonly #records = new Map<string, ChargeRecord>();

  readonly record = (charge: ChargeRecord): void => {
    if (!this.#records.has(charge.id)) this.#records.set(charge.id, charge);
  };

  readonly all = (): ChargeRecord[] => [...this.#records.values()];
}
