import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE } from './until.ts';

/** Where the service is, and a key to it. */
export type ServiceAccess = { readonly baseUrl: string; readonly apiKey: string };

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

export type Body = NonNullable<RequestInit['body']>;

type CallOptions = {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly body?: Body | undefined;
  readonly json?: unknown;
};

/** One request with the service's key. */
export const send = (
  service: ServiceAccess,
  method: string,
  path: string,
  { key = service.apiKey, headers = {}, body, json }: CallOptions = {},
): Promise<Response> =>
  fetch(`${service.baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(body === undefined ? {} : { body }),
  });

/** One request with the service's key, its answer read as JSON. */
export const call = async (...request: Parameters<typeof send>): Promise<Answer> => {
  const response = await send(...request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
};

type ErrorBody = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
};

/** The error of an answer in the OpenAI form; anything else is a fault of the service. */
export const readError = ({ body }: Answer): ErrorBody => {
  const { error } = body;
  if (typeof error !== 'object' || error === null) throw new Error(`no error in ${JSON.stringify(body)}`);
  const read = (name: string): unknown => Reflect.get(error, name);
  const [message, type, code, param] = [read('message'), read('type'), read('code'), read('param')];
  if (typeof message !== 'string' || typeof type !== 'string' || typeof code !== 'string')
    throw new Error(`not an error of the API: ${JSON.stringify(body)}`);
  if (param !== null && typeof param !== 'string') throw new Error('param is neither text nor null');
  if (Object.keys(error).toSorted().join() !== 'code,message,param,type') throw new Error('other fields');
  return { message, type, param, code };
};

export const MODEL = 'video-3.1-generate-preview';
export const FAST_MODEL = 'video-3.1-fast-generate-preview';

/** A prompt whose task waits for the upstream longer than any test: nothing is rendered for it. */
export const HELD_BACK = '[sample: error 429 retry 700s always]';

export const readId = ({ body }: Answer): string => {
  if (typeof body.id !== 'string') throw new Error(`no id in ${JSON.stringify(body)}`);
  return body.id;
};

/** Creates a video with this prompt and returns its id. */
export const createVideo = async (service: ServiceAccess, prompt: string, key?: string): Promise<string> =>
  readId(await call(service, 'POST', '/v1/videos', { key, json: { model: MODEL, prompt, seconds: 4 } }));

/** The inputs of a task: `first_frame image/jpeg`. */
export const listInputs = async (service: ServiceAccess, id: string): Promise<string[]> => {
  const { body } = await call(service, 'GET', `/v1/videos/${id}?include[]=request`);
  const inputs: { role: string; mime_type: string }[] = Reflect.get(Object(body.request), 'inputs');
  return inputs.map(({ role, mime_type }) => `${role} ${mime_type}`);
};

/** Polls until the task has one of the statuses. */
export const waitFor = async (
  service: ServiceAccess,
  id: string,
  statuses: readonly string[] = ['completed', 'failed'],
): Promise<Answer> => {
  const deadline = Date.now() + PATIENCE;
  for (let polls = 1; ; polls += 1) {
    const answer = await call(service, 'GET', `/v1/videos/${id}`);
    if (answer.status !== 200) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.body)}`);
    const status = String(answer.body.status);
    if (statuses.includes(status)) return answer;
    if (Date.now() > deadline) throw new Error(`video ${id} is still ${status}`);
    // Seldom, because each answer keeps several processes busy; a worker first asks two seconds after its submit.
    await sleep(status === 'in_progress' && polls < 3 ? 2000 : 800);
  }
};
