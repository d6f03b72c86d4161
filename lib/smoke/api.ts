import { type Answer, CheckFailure, readAnswer } from './answers.ts';
import { isThrottled, trackRetries, type Wait, wait } from './throttling.ts';

export type Call = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly timeoutSeconds?: number;
  /** False for a call that continues when the run is interrupted. */
  readonly interruptible?: boolean;
  /** True for a POST without an idempotency key that does no harm if it is sent twice. */
  readonly repeatable?: boolean;
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

/** Should a POST have run after all, only a key or the check itself prevents that it creates something twice. */
const isRepeatable = (method: string, { headers = {}, repeatable = false }: Call): boolean =>
  method !== 'POST' || repeatable || 'idempotency-key' in headers;

const fetchAnswer = async (
  address: string,
  method: string,
  { headers = {}, json, form, bytes, timeoutSeconds = TIMEOUT_SECONDS, interruptible = true }: Call,
  interrupted: AbortSignal,
): Promise<Answer> => {
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

export const connect = (
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  interrupted: AbortSignal,
  pause: Wait = wait,
) => {
  /** Of requests whose function was throttled. */
  const retries = trackRetries(pause);
  const send = (address: string, method: string, call: Call): Promise<Answer> => {
    const attempt = () => fetchAnswer(address, method, call, interrupted);
    if (!isRepeatable(method, call)) return attempt();
    return retries.repeat(attempt, isThrottled, call.interruptible === false ? undefined : interrupted);
  };
  /** A call with only the given headers. */
  const anonymous = (method: string, path: string, call: Call = {}) =>
    send(`${baseUrl}${path}`, method, call);
  return {
    baseUrl,
    apiKey,
    interrupted,
    retries,
    anonymous,
    /** A call with the API key in `Authorization`. */
    call: (method: string, path: string, call: Call = {}) =>
      anonymous(method, path, {
        ...call,
        headers: { authorization: `Bearer ${apiKey}`, ...call.headers },
      }),
    /** Fetches a signed URL, without the API key. */
    open: (address: string, headers: Readonly<Record<string, string>> = {}) =>
      send(address, 'GET', { headers, timeoutSeconds: 300 }),
    /** Uploads bytes to a signed URL. */
    put: (address: string, call: Pick<Call, 'headers' | 'bytes'>) =>
      send(address, 'PUT', { ...call, timeoutSeconds: 300 }),
  };
};

export type Api = ReturnType<typeof connect>;
