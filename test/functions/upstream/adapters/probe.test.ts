import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProbedServer } from '../../../../functions/upstream/adapters/probe.ts';
import { geminiClient } from '../../../../functions/upstream/kinds/gemini/adapter.ts';
import { openAiClient } from '../../../../functions/upstream/kinds/openai/adapter.ts';
import { openRouterClient } from '../../../../functions/upstream/kinds/openrouter/adapter.ts';
import { credentialFrom } from './answering-client.ts';
import { startRecorder } from './recording-server.ts';
import { html, json } from './upstream-answers.ts';
import type { Answer } from './upstream-server.ts';

const common = { credential: credentialFrom(async () => 'secret'), modelName: () => 'veo', fetch };
const CLIENTS: Readonly<Record<string, (baseUrl: string) => ProbedServer>> = {
  gemini: (baseUrl) => geminiClient({ ...common, baseUrl, keyHeader: 'authorization' }),
  openrouter: (baseUrl) => openRouterClient({ ...common, baseUrl }),
  openai: (baseUrl) => openAiClient({ ...common, baseUrl, options: 'none' }),
};

type Probed = { readonly kind: string; readonly medium?: 'video' | 'image'; readonly model?: string };

const probe = async (answer: Answer, { kind, medium = 'video', model = 'veo' }: Probed) => {
  await using server = await startRecorder(answer);
  const client = CLIENTS[kind]?.(server.url) ?? assert.fail(kind);
  const result = await client.probe(model, 20_000, medium);
  return { result, line: server.only().line };
};

const list = (...data: readonly object[]) => json(200, { object: 'list', data });
const refused = json(403, { error: { code: 403, message: 'No.' } });

describe('a model', () => {
  for (const [kind, medium, answer, line, result] of [
    ['gemini', 'video', json(200, { name: 'models/veo' }), 'GET /v1beta/models/veo', 'offered'],
    ['gemini', 'image', json(404, {}), 'GET /v1beta/models/veo', 'missing'],
    ['gemini', 'video', json(410, {}), 'GET /v1beta/models/veo', 'missing'],
    ['openrouter', 'video', list({ id: 'veo' }), 'GET /videos/models', 'offered'],
    ['openrouter', 'video', list({ id: 'veo-3' }), 'GET /videos/models', 'missing'],
    ['openrouter', 'image', list({ id: 'veo' }), 'GET /models?output_modalities=image', 'offered'],
    ['openrouter', 'image', list(), 'GET /models?output_modalities=image', 'missing'],
    ['openai', 'video', list({ id: 'other' }, { id: 'veo' }), 'GET /v1/models', 'offered'],
    ['openai', 'image', list({ id: 'other' }), 'GET /v1/models', 'missing'],
    ['openai', 'video', json(404, {}), 'GET /v1/models', 'unknown'],
    ['openai', 'video', json(200, { data: [{ name: 'veo' }] }), 'GET /v1/models', 'unknown'],
    ['openai', 'video', json(200, []), 'GET /v1/models', 'unknown'],
  ] as const)
    test(`for a ${medium} at ${kind} is ${result} after ${line}`, async () =>
      assert.deepEqual(await probe(answer, { kind, medium }), { result, line }));

  test('of OpenRouter is also known by its dated name', async () => {
    const answer = list({ id: 'google/veo-3.1', canonical_slug: 'google/veo-3.1-20260320' });
    for (const [model, result] of [
      ['google/veo-3.1', 'offered'],
      ['google/veo-3.1-20260320', 'offered'],
      ['google/veo-3.1-fast', 'missing'],
    ] as const)
      assert.equal((await probe(answer, { kind: 'openrouter', model })).result, result);
  });

  test('is found in a catalogue of several megabytes', async () => {
    const answer = list({ id: 'a', description: 'a'.repeat(4_000_000) }, { id: 'veo' });
    assert.equal((await probe(answer, { kind: 'openrouter' })).result, 'offered');
  });

  for (const kind of Object.keys(CLIENTS))
    test(`at ${kind} is neither offered nor missing if the upstream refuses or fails`, async () => {
      await assert.rejects(probe(refused, { kind }), { name: 'UpstreamError', fault: 'operator' });
      await assert.rejects(probe(html(503), { kind }), { name: 'UpstreamError', fault: 'failing' });
    });
});

describe('a key', () => {
  const verify = async (kind: string, answer: Answer) => {
    await using server = await startRecorder(answer);
    await (CLIENTS[kind]?.(server.url) ?? assert.fail(kind)).verify(20_000);
    return server.only();
  };

  for (const [kind, line, authorization] of [
    ['gemini', 'GET /v1beta/models?pageSize=1', 'secret'],
    ['openrouter', 'GET /key', 'Bearer secret'],
    ['openai', 'GET /v1/models', 'Bearer secret'],
  ] as const) {
    test(`of ${kind} is verified with ${line}`, async () => {
      const recorded = await verify(kind, list());
      assert.deepEqual([recorded.line, recorded.authorization], [line, authorization]);
    });
  }

  test('is not refused by a server of the OpenAI API without a list', async () =>
    assert.equal((await verify('openai', json(404, {}))).line, 'GET /v1/models'));

  for (const kind of ['gemini', 'openrouter'])
    test(`is not verified if ${kind} does not know the address`, async () =>
      assert.rejects(verify(kind, json(404, {})), { fault: 'operator', httpStatus: 404 }));
});
