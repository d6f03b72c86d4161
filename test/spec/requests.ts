import assert from 'node:assert/strict';
import { type Answer, type Body, call, MODEL, readError, readId, waitFor } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

export const service = await openSharedService();

type Fields = Readonly<Record<string, unknown>>;

/** The task fails at once, so nothing is rendered. */
const VALID = { model: MODEL, prompt: 'a quiet harbour [sample: error 400]' };

export const createJson = (fields: Fields = {}): Promise<Answer> =>
  call(service, 'POST', '/v1/videos', { json: { ...VALID, ...fields } });

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

/** Creates a video of 4 seconds, and waits for its end. */
export const generate = async (fields: Fields = {}): Promise<Answer> => {
  const json = { model: MODEL, prompt: 'a quiet harbour', seconds: 4, ...fields };
  return waitFor(service, readId(await call(service, 'POST', '/v1/videos', { json })));
};

export const download = async (id: string): Promise<Buffer> => {
  const response = await fetch(`${service.baseUrl}/v1/videos/${id}/content`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
};

/** Posts a raw body, for requests that are not JSON. */
export const postBody = (body: Body, contentType: string): Promise<Answer> =>
  call(service, 'POST', '/v1/videos', { body, headers: { 'content-type': contentType } });
