/** The part of a charge that is fixed in the write that completes the task. */
export type Charge = {
  readonly seconds: number;
  readonly unitPrice: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
};
