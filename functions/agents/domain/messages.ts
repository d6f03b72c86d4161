/** JSON-RPC messages of the Model Context Protocol, in both of its eras. */

/** Requests of this revision carry everything that the server must know: there is no handshake. */
export const MODERN_VERSION = '2026-07-28';

/** Clients of these revisions begin with `initialize`. The newest comes first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
export const NEWEST_LEGACY_VERSION = LEGACY_VERSIONS[0];

export type Era = 'modern' | 'legacy';

/** A client that declares it gets a task instead of waiting for the result. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** A header is missing, or says something else than the body. */
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** Errors of the transport in the legacy era. */
  transport: -32000,
} as const;

export type MessageId = string | number;
export type Fields = Readonly<Record<string, unknown>>;

type Details = {
  readonly id?: MessageId | undefined;
  readonly data?: Fields | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An error of the protocol. Errors of a tool are results, so that a model can correct its call. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly details: Details;

  /** Only errors that precede a method have another status than 200. */
  constructor(code: keyof typeof RPC_CODES, message: string, status = 200, details: Details = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = RPC_CODES[code];
    this.status = status;
    this.details = details;
  }
}

export type RpcRequest = {
  readonly era: Era;
  readonly id: MessageId;
  readonly method: string;
  readonly params: Fields;
  /** Present if the client wants progress notifications. */
  readonly progressToken: MessageId | undefined;
  /** Whether the client declares the tasks extension. */
  readonly acceptsTasks: boolean;
};

/** A request, or a notification or response, which gets no answer. */
export type RpcMessage = RpcRequest | 'unanswered';

export type Progress = { readonly progress: number; readonly total: number; readonly message: string };
