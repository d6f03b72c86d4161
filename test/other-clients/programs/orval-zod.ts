import assert from 'node:assert/strict';
import { CreateVideoBody, CreateVideoResponse, ListModelsResponse } from './generated/orval-zod.ts';

const headers = { authorization: `Bearer ${process.env.API_KEY}`, 'content-type': 'application/json' };
const call = async (path: string, init: RequestInit = {}): Promise<unknown> =>
  (await fetch(`${process.env.BASE_URL}${path}`, { ...init, headers })).json();

const models = ListModelsResponse.parse(await call('/v1/models'));
assert.ok(models.data.some(({ id }) => id === 'sora-2'));
const body = CreateVideoBody.parse({ model: 'sora-2', prompt: 'A fox', seconds: 4, seed: 0 });
const created = await call('/v1/videos', { method: 'POST', body: JSON.stringify(body) });
assert.equal(CreateVideoResponse.parse(created).seconds, '4');
assert.equal(CreateVideoBody.safeParse({ model: 'sora-2', prompt: 'A fox', seconds: 5 }).success, false);
