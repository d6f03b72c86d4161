import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  LIFECYCLE_CHECKED,
  LIFECYCLES,
  lifecycleWarnings,
} from '../../../../functions/upstream/domain/lifecycle.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';

const COMMON = { models: {}, priority: 1, weight: 1 } as const;
const vertex = (models: Upstream['models'] = {}): Upstream => ({
  ...COMMON,
  kind: 'vertex',
  name: 'vertex-us',
  project: 'acme',
  location: 'us-central1',
  models,
});
const google = (image: string): Upstream => ({
  ...COMMON,
  kind: 'gemini',
  name: 'studio',
  baseUrl: 'https://generativelanguage.googleapis.com',
  keyHeader: 'x-goog-api-key',
  models: { 'image-3.1-flash-image-preview': image },
});
const at = (day: string): number => Date.parse(day);

describe('the lifecycle of models', () => {
  test('has one row for a model of a platform, with valid days', () => {
    const names = LIFECYCLES.map(([platform, model]) => `${platform} ${model}`);
    assert.equal(new Set(names).size, names.length);
    for (const [, , ends] of LIFECYCLES) assert.equal(new Date(ends).toISOString().slice(0, 10), ends);
    assert.equal(new Date(LIFECYCLE_CHECKED).toISOString().slice(0, 10), LIFECYCLE_CHECKED);
  });

  test('warns about a model that has ended, with its replacement', () => {
    assert.deepEqual(lifecycleWarnings([google('gemini-3.1-flash-image-preview')], at('2026-11-17')), [
      'Upstream studio: gemini-3.1-flash-image-preview on Gemini API ended on 2026-06-25. The platform names gemini-3.1-flash-image as its replacement.',
    ]);
  });

  test('warns within 60 days of an end, and says that it may be later', () => {
    const image = { 'image-3.1-flash-image-preview': null };
    assert.deepEqual(lifecycleWarnings([vertex(image)], at('2027-03-05')), []);
    assert.deepEqual(lifecycleWarnings([vertex(image)], at('2027-03-06')), [
      'Upstream vertex-us: veo-3.1-generate-001 on Vertex AI ends on 2027-05-04 or later.',
      'Upstream vertex-us: veo-3.1-fast-generate-001 on Vertex AI ends on 2027-05-04 or later.',
    ]);
  });

  test('says nothing about other gateways, whose names are their own', () => {
    const names = { 'video-3.1-generate-preview': 'veo-3.1-generate-preview' };
    assert.deepEqual(lifecycleWarnings([anUpstream('gateway', { models: names })], at('2026-11-17')), []);
  });

  test('says nothing about the presets today', () => {
    const router: Upstream = {
      ...COMMON,
      kind: 'openrouter',
      name: 'openrouter',
      baseUrl: 'https://openrouter.ai/api/v1',
    };
    assert.deepEqual(
      lifecycleWarnings([router, vertex(), google('gemini-3.1-flash-image')], at('2026-11-17')),
      [],
    );
  });
});
