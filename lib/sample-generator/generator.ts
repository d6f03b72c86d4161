import type { Directives, Place } from './directive-types.ts';
import { type Exchange, hang, reset } from './exchange.ts';
import { type Faults, faultError } from './faults.ts';
import type { Operations } from './operations.ts';
import type { PictureStore } from './pictures.ts';
import type { RenderCache } from './render-cache.ts';

/** What the handlers work with. */
export type Generator = {
  readonly pictures: PictureStore;
  readonly renderCache: RenderCache;
  readonly operations: Operations;
  readonly faults: Faults;
  readonly retryDelaySeconds: number;
  /** Where this server and its foreign host are reached; known once they listen. */
  readonly addresses: () => { readonly own: string; readonly foreign: string };
};

export type Handler = (exchange: Exchange, generator: Generator) => Promise<void>;

/** Lets the exchange go on, or fails it as its prompt asked. */
export const injectFault = async (
  exchange: Exchange,
  { faults, retryDelaySeconds }: Generator,
  { place, subject, directives }: { place: Place; subject: string; directives: Directives },
) => {
  const fault = faults.next(place, subject, directives);
  if (fault === undefined) return;
  if (fault.kind === 'reset') reset(exchange);
  if (fault.kind === 'hang') await hang(exchange);
  throw faultError(fault, retryDelaySeconds);
};
