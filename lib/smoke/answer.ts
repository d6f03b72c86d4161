import { parseJson } from './json-path.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON, undefined where it is none. */
  readonly json: unknown;
  readonly requestId: string;
};

export const readAnswer = async (response: Response): Promise<Answer> => {
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    json: /json/.test(response.headers.get('content-type') ?? '') ? parseJson(bytes.toString()) : undefined,
    requestId: response.headers.get('x-request-id') ?? response.headers.get('x-amzn-requestid') ?? 'none',
  };
};

const DATA = 'data: ';

/** The data of each server-sent event: parsed JSON, or the text where it is none, as `[DONE]` is. */
export const eventsIn = (body: string): readonly unknown[] =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith(DATA))
    .map((event) => event.slice(DATA.length))
    .map((data) => parseJson(data) ?? data);
