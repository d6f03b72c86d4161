import assert from 'node:assert/strict';
import { type Answer, call, createVideo, HELD_BACK, MODEL, readError, waitFor } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

export const service = await openSharedService();

type Fields = Readonly<Record<string, unknown>>;

const VALID = { model: MODEL, prompt: HELD_BACK };

const answers = new Map<string, Promise<Answer>>();

/** Equal requests of several tests are sent once. */
export const createJson = (fields: Fields = {}): Promise<Answer> => {
  const body = JSON.stringify({ ...VALID, ...fields });
  const headers = { 'content-type': 'application/json' };
  const answer = answers.get(body) ?? call(service, 'POST', '/v1/videos', { body, headers });
  answers.set(body, answer);
  return answer;
};

export const createForm = (...fields: readonly (readonly [name: string, value: string | File])[]) => {
  const body = new FormData();
  for (const [name, value] of [...Object.entries(VALID), ...fields]) body.append(name, value);
  return call(service, 'POST', '/v1/videos', { body });
};

/** Asserts that a video is created; returns its seconds and size. */
export const acceptedOptions = ({ status, body }: Answer): readonly unknown[] => {
  assert.equal(status, 200, JSON.stringify(body));
  return [body.seconds, body.size];
};

export const assertRefused = (answer: Answer, param: string | null, code = 'invalid_request'): void => {
  const error = readError(answer);
  assert.deepEqual([answer.status, error.param, error.code], [400, param, code], error.message);
};

/** Several sections of the specification state the same, which is asked once. */
const once = <Value>(act: () => Promise<Value>): (() => Promise<Value>) => {
  let result: Promise<Value> | undefined;
  return () => {
    result ??= act();
    return result;
  };
};

const generate = async (prompt: string): Promise<Answer> =>
  waitFor(service, await createVideo(service, prompt));

/** A video of 4 seconds that has ended. */
export const completedVideo = once(() => generate('a quiet harbour'));
export const failedVideo = once(() => generate('refused [sample: error 400]'));

export const download = async (id: string): Promise<Buffer> => {
  const response = await fetch(`${service.baseUrl}/v1/videos/${id}/content`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
};
