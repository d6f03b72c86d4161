import assert from 'node:assert/strict';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import type { ServiceAccess } from '../../../support/http.ts';
import { chatBody, GENERATIONS, generationBody, nativeBody } from '../../../support/images/requests.ts';
import { type Exchange, exchange, type Request } from './exchange.ts';

/** Sends a request, and asserts that the response has this status and matches the document. */
export const fitting =
  (service: ServiceAccess) =>
  async (status: number, request: Request, apiKey = service.apiKey): Promise<Exchange> => {
    const answer = await exchange({ baseUrl: service.baseUrl, apiKey }, request);
    assert.deepEqual([answer.status, answer.faults], [status, []], answer.text.slice(0, 300));
    return answer;
  };

export const VIDEOS = '/v1/videos';
export const VIDEO = '/v1/videos/{task_id}';
export const CONTENT = `${VIDEO}/content`;
export const GENERATION = '/v1/video/generations/{task_id}';
export const NATIVE = '/v1beta/models/{model}:generateContent';
export const NATIVE_STREAM = '/v1beta/models/{model}:streamGenerateContent';
export const PREDICT = '/v1beta/models/{model}:predict';
export const CHAT = '/v1/chat/completions';

export const of = (path: string, id: string) => ({ path, at: path.replace('{task_id}', id) });
export const get = (path: string, id: string): Request => ({ method: 'GET', ...of(path, id) });

export const native = (path: string, text: string, query = ''): Request => ({
  method: 'POST',
  path,
  at: `${path.replace('{model}', IMAGE_MODEL)}${query}`,
  json: nativeBody(text),
});

export const imagen = (prompt: string, parameters: object = {}): Request => ({
  method: 'POST',
  path: PREDICT,
  at: PREDICT.replace('{model}', IMAGE_MODEL),
  json: { instances: [{ prompt }], parameters: { imageSize: '512', ...parameters } },
});

export const chat = (content: string, more: object = {}): Request => ({
  method: 'POST',
  path: CHAT,
  json: { ...chatBody(content), ...more },
});

export const generation = (prompt: string, more: object = {}): Request => ({
  method: 'POST',
  path: GENERATIONS,
  json: { ...generationBody(prompt), ...more },
});
