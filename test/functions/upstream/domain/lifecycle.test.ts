import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  LIFECYCLE_CHECKED,
  LIFECYCLES,
  lifecycleWarnings,
} from '../../../../functions/upstream/domain/lifecycle.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { anUpstream, FAST, IMAGE, STANDARD } from '../../../support/builders/upstream.ts';
import {
  aGeminiApi,
  anInteractionsApi,
  anOpenRouter,
  aVertex,
  aVideosApi,
} from '../../../support/builders/upstream-kinds.ts';

const vertex = (models: Upstream['models'] = {}) => aVertex({ name: 'vertex-us', models });
const google = (image: string): Upstream => ({
  ...aGeminiApi({ name: 'studio', models: { [IMAGE]: image } }),
  baseUrl: 'https://generativelanguage.googleapis.com',
});
const at = (day: string): number => Date.parse(day);

/** The models of all platforms by the replacement that the platform names. */
const REPLACEMENTS = `
gemini-omni-1.1-flash: veo-3.1-generate-preview veo-3.1-fast-generate-preview veo-3.1-lite-generate-preview gemini-omni-flash-preview
veo-3.1-generate-001: veo-3.1-generate-preview veo-3.0-generate-001 veo-3.0-fast-generate-001 veo-2.0-generate-001
veo-3.1-fast-generate-001: veo-3.1-fast-generate-preview
veo-3.1-lite-generate-001: veo-3.1-lite-generate-preview
none: veo-3.0-generate-001 veo-3.0-fast-generate-001 veo-2.0-generate-001 veo-3.1-generate-001 veo-3.1-fast-generate-001 gemini-omni-flash-preview gemini-3.1-flash-image gemini-3-pro-image sora-2 sora-2-pro
gemini-3.1-flash-image: gemini-3.1-flash-image-preview gemini-3.1-flash-image-preview gemini-2.5-flash-image imagen-4.0-generate-001 imagen-4.0-ultra-generate-001 imagen-4.0-fast-generate-001
gemini-3-pro-image: gemini-3-pro-image-preview gemini-3-pro-image-preview
gemini-3.1-flash-lite-image: gemini-2.5-flash-image
`;

describe('the lifecycle of models', () => {
  test('has one row for a model of a platform, with valid days', () => {
    const names = LIFECYCLES.map(([platform, model]) => `${platform} ${model}`);
    assert.equal(new Set(names).size, names.length);
    for (const [, , ends] of LIFECYCLES) assert.equal(new Date(ends).toISOString().slice(0, 10), ends);
    assert.equal(new Date(LIFECYCLE_CHECKED).toISOString().slice(0, 10), LIFECYCLE_CHECKED);
  });

  test('names the replacement of each model', () => {
    const groups = Map.groupBy(LIFECYCLES, ([, , , replacement = 'none']) => replacement);
    const lists = [...groups].map(([name, rows]) => `${name}: ${rows.map(([, model]) => model).join(' ')}`);
    assert.equal(lists.join('\n'), REPLACEMENTS.trim());
  });

  test('warns about a model that has ended, with its replacement', () => {
    assert.deepEqual(lifecycleWarnings([google('gemini-3.1-flash-image-preview')], at('2026-11-17')), [
      'Upstream studio: gemini-3.1-flash-image-preview on Gemini API ended on 2026-06-25. The platform names gemini-3.1-flash-image as its replacement.',
    ]);
  });

  test('warns within 60 days of an end, and says that it may be later', () => {
    const image = { [IMAGE]: null };
    assert.deepEqual(lifecycleWarnings([vertex(image)], at('2027-03-05')), []);
    assert.deepEqual(lifecycleWarnings([vertex(image)], at('2027-03-06')), [
      'Upstream vertex-us: veo-3.1-generate-001 on Vertex AI ends on 2027-05-04 or later.',
      'Upstream vertex-us: veo-3.1-fast-generate-001 on Vertex AI ends on 2027-05-04 or later.',
    ]);
  });

  test('says nothing about other gateways, whose names are their own', () => {
    const names = { [STANDARD]: 'veo-3.1-generate-preview' };
    assert.deepEqual(lifecycleWarnings([anUpstream('gateway', { models: names })], at('2026-11-17')), []);
  });

  test('knows the platform by the project, or else by the address', () => {
    const models = { 'video-omni-1.2-flash': 'gemini-omni-flash-preview' };
    const sora = aVideosApi('none', { models: { [STANDARD]: 'sora-2', [FAST]: null } });
    const upstreams = [
      anInteractionsApi({ models, baseUrl: undefined }),
      anInteractionsApi({ models, project: 'acme' }),
      { ...sora, baseUrl: 'https://api.openai.com' },
    ];
    const warnings = lifecycleWarnings(upstreams, at('2027-07-01')).map((text) => text.split('.')[0]);
    assert.deepEqual(warnings, [
      'Upstream omni: gemini-omni-flash-preview on Gemini API ended on 2026-09-30',
      'Upstream omni: gemini-omni-flash-preview on Vertex AI ended on 2027-06-30',
      'Upstream openai: sora-2 on OpenAI ended on 2026-09-24',
    ]);
  });

  test('says nothing about the presets today', () => {
    assert.deepEqual(
      lifecycleWarnings([anOpenRouter(), vertex(), google('gemini-3.1-flash-image')], at('2026-11-17')),
      [],
    );
  });
});
