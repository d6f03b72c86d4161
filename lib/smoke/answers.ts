/** The value at a path in parsed JSON, or undefined. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown => {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
};

export const listAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

export const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

/** The parsed JSON, or undefined if the text is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body, if it is JSON. */
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

/** The data of each server-sent event: parsed JSON, or text such as `[DONE]`. */
export const readEvents = (body: string): readonly unknown[] =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith(DATA))
    .map((event) => event.slice(DATA.length))
    .map((data) => parseJson(data) ?? data);

/** Says in one line what a check expected and what it saw. */
export class CheckFailure extends Error {}

const MAX_MESSAGE = 160;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, MAX_MESSAGE);

/** The code and message of an error in either format. */
const describeError = ({ json }: Answer): string => {
  const code = textAt(json, 'error', 'status') || textAt(json, 'error', 'code');
  const message = textAt(json, 'error', 'message') || textAt(json, 'message');
  return [code, message === '' ? '' : `"${oneLine(message)}"`].filter((part) => part !== '').join(' ');
};

export const failure = (expected: string, seen: string, answer?: Answer): CheckFailure =>
  new CheckFailure(
    `expected ${expected}, saw ${seen}${answer === undefined ? '' : ` (request id ${answer.requestId})`}`,
  );

export const expectStatus = (answer: Answer, status: number): void => {
  if (answer.status === status) return;
  throw failure(String(status), `${answer.status} ${describeError(answer)}`.trimEnd(), answer);
};

/** The answer to a request, which must have this status. */
export const expectAnswer = async (status: number, sent: Promise<Answer>): Promise<Answer> => {
  const answer = await sent;
  expectStatus(answer, status);
  return answer;
};

export const expectHeader = (answer: Answer, name: string, expected: string): void => {
  const seen = answer.headers.get(name) ?? 'none';
  expectTrue(seen === expected, `${name} ${expected}`, seen, answer);
};

export const expectTrue = (holds: boolean, expected: string, seen: string, answer?: Answer): void => {
  if (!holds) throw failure(expected, seen, answer);
};

type ExpectedError = { readonly status: number; readonly code: string };

const expectError = (answer: Answer, { status, code }: ExpectedError, found: unknown): void => {
  if (answer.status === status && found === code && textAt(answer.json, 'error', 'message') !== '') return;
  const seen = describeError(answer) || `a body of ${answer.bytes.length} bytes that is not an API error`;
  throw failure(`${status} ${code}`, `${answer.status} ${seen}`, answer);
};

/** An error of `/v1`. */
export const expectOpenAiError = (answer: Answer, expected: ExpectedError): void =>
  expectError(answer, expected, at(answer.json, 'error', 'code'));

/** An error of `/v1beta`. */
export const expectNativeError = (answer: Answer, expected: ExpectedError): void => {
  expectError(answer, expected, at(answer.json, 'error', 'status'));
  const code = at(answer.json, 'error', 'code');
  expectTrue(code === expected.status, `error.code ${expected.status}`, String(code), answer);
};
