import type { Api } from './api.ts';
import type { Tasks } from './tasks.ts';

export type CheckContext = { readonly api: Api; readonly tasks: Tasks };

export type Check = {
  readonly name: string;
  /** What the check has generated, for the sum that is shown beforehand. */
  readonly videoSeconds?: number;
  readonly images?: number;
  readonly run: (context: CheckContext) => Promise<void>;
};

/** Checks that need one another, run in turn: after a failure the rest of them cannot be run. */
export type Series = readonly Check[];
