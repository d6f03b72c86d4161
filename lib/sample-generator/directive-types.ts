import { HTTP_ERRORS, type HttpErrorCode } from './upstream-error.ts';

export type Repeat = number | 'always';

/** `content` is the download after its redirect, where the bytes flow. */
export type Place = 'create' | 'poll' | 'file' | 'content';

type FaultKind =
  | { readonly kind: 'error'; readonly code: HttpErrorCode; readonly retrySeconds?: number }
  | { readonly kind: 'daily-quota' | 'reset' | 'hang' | 'truncated' };

export type Fault = { readonly place: Place; readonly repeat: Repeat } & FaultKind;

export type Ending =
  | { readonly kind: 'filtered' | 'no-video' | 'never' }
  | { readonly kind: 'error'; readonly code: number };

/** What the directives in a prompt ask for. */
export type Directives = {
  readonly faults: readonly Fault[];
  readonly delaySeconds?: number;
  readonly slowStartSeconds?: number;
  readonly ending?: Ending;
  readonly samples?: number;
  readonly inlineVideo?: boolean;
  readonly notMp4?: boolean;
  readonly foreignRedirect?: boolean;
  readonly megabytes?: number;
  readonly blocked?: string;
  readonly textOnly?: boolean;
  readonly drafts?: number;
};

export const isHttpErrorCode = (code: number): code is HttpErrorCode => Object.hasOwn(HTTP_ERRORS, code);
