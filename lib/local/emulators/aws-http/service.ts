import type { Readable } from 'node:stream';

export type AwsRequest = {
  readonly method: string;
  /** As sent: still percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client has gone before its answer. */
  readonly signal: AbortSignal;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
};

/** What a call does, in IAM's words. */
export type AccessedResource = { readonly action: string; readonly resource: string };

export type Answer = { readonly reply: Reply; readonly accessed: readonly AccessedResource[] };

export type Dialect = 'json' | 'xml';

/** A request whose sender is known. */
export type SignedRequest = AwsRequest & { readonly principal: string };

/** What a service tells browsers of pages elsewhere: it needs no signature. */
export type CrossOrigin = {
  preflight(request: AwsRequest): Reply;
  /** For the answer to any other request, a refusal too. */
  headers(request: AwsRequest): Readonly<Record<string, string>>;
};

/** A buffered service gets the whole body, so a client that goes away in mid-body never reaches it. */
export type Service = { readonly dialect: Dialect; close(): Promise<void> } & (
  | { readonly kind: 'buffered'; answer(request: SignedRequest, payload: Buffer): Promise<Answer> }
  | {
      readonly kind: 'streamed';
      readonly crossOrigin?: CrossOrigin;
      answer(request: SignedRequest, body: Readable): Promise<Answer>;
    }
);
