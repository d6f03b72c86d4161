import { type Answer, CheckFailure, readAnswer } from './answers.ts';

export type Call = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly timeoutSeconds?: number;
  /** False for a call that continues when the run is interrupted. */
  readonly interruptible?: boolean;
};

export type Api = {
  /** A call with the API key in `Authorization`. */
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>;
  /** A call with only the given headers. */
  readonly anonymous: (method: string, path: string, call?: Call) => Promise<Answer>;
  /** Fetches a signed URL, without the API key. */
  readonly open: (address: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Uploads bytes to a signed URL. */
  readonly put: (address: string, call: Pick<Call, 'headers' | 'bytes'>) => Promise<Answer>;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly interrupted: AbortSignal;
};

const TIMEOUT_SECONDS = 120;

/** The service did not answer. */
export class Unreachable extends CheckFailure {
  readonly reason: string;

  constructor(reason: string, options: ErrorOptions) {
    super(`no answer: ${reason}`, options);
    this.reason = reason;
  }
}

const describeCause = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code: unknown = Reflect.get(cause, 'code');
  return typeof code === 'string' ? code : cause.message;
};

export const connect = (
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  interrupted: AbortSignal,
): Api => {
  const send = async (address: string, method: string, call: Call): Promise<Answer> => {
    const { headers = {}, json, form, bytes, timeoutSeconds = TIMEOUT_SECONDS, interruptible = true } = call;
    const body = json === undefined ? (form ?? bytes) : JSON.stringify(json);
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      return await readAnswer(
        await fetch(address, {
          method,
          redirect: 'manual',
          signal: interruptible ? AbortSignal.any([interrupted, timeout]) : timeout,
          headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...(body === undefined ? {} : { body }),
        }),
      );
    } catch (cause) {
      if (interruptible && interrupted.aborted) throw new CheckFailure('interrupted', { cause });
      throw new Unreachable(describeCause(cause), { cause });
    }
  };
  const anonymous: Api['anonymous'] = (method, path, call = {}) => send(`${baseUrl}${path}`, method, call);
  return {
    baseUrl,
    apiKey,
    interrupted,
    anonymous,
    call: (method, path, call = {}) =>
      anonymous(method, path, {
        ...call,
        headers: { authorization: `Bearer ${apiKey}`, ...call.headers },
      }),
    open: (address, headers = {}) => send(address, 'GET', { headers, timeoutSeconds: 300 }),
    put: (address, call) => send(address, 'PUT', { ...call, timeoutSeconds: 300 }),
  };
};
