import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MODELS } from '../../functions/platform/domain/models.ts';
import { readConfig } from '../../lib/config.ts';

const GEMINI = { name: 'studio-a', kind: 'gemini' } as const;
const VERTEX = { name: 'vertex-us', kind: 'vertex', project: 'acme', location: 'us-central1' } as const;
const [VIDEO = ''] = MODELS;

describe('the setting upstreams', () => {
  test('is empty by default', () => assert.deepEqual(readConfig({}).upstreams, []));

  test('accepts JSON, and has defaults for each entry', () => {
    const { upstreams } = readConfig({ upstreams: JSON.stringify([GEMINI, VERTEX]) });
    assert.deepEqual(upstreams, [
      {
        ...GEMINI,
        baseUrl: 'https://generativelanguage.googleapis.com',
        keyHeader: 'x-goog-api-key',
        models: {},
        priority: 1,
        weight: 1,
      },
      { ...VERTEX, models: {}, priority: 1, weight: 1 },
    ]);
  });

  test('accepts limits, other model names and addresses', () => {
    const entry = {
      ...GEMINI,
      baseUrl: 'https://proxy.example.com/gemini/',
      models: { [VIDEO]: 'theirs' },
      priority: 2,
      weight: 3,
      submitsPerMinute: 10,
      videosAtOnce: 20,
    };
    const [read] = readConfig({ upstreams: [entry] }).upstreams;
    assert.deepEqual(read, {
      ...entry,
      baseUrl: 'https://proxy.example.com/gemini',
      keyHeader: 'x-goog-api-key',
    });
  });

  const many = (count: number, change = {}) =>
    Array.from({ length: count }, (_, index) => ({ ...GEMINI, name: `studio-${index}`, ...change }));

  test('accepts ten upstreams', () => assert.equal(readConfig({ upstreams: many(10) }).upstreams.length, 10));

  const REFUSED: readonly (readonly [title: string, given: unknown, message: RegExp])[] = [
    ['text that is no JSON', '[', /upstreams: must be JSON/],
    ['an unknown kind', [{ ...GEMINI, kind: 'other' }], /upstreams\.0\.kind: /],
    ['an unknown field', [{ ...GEMINI, key: 'k' }], /upstreams\.0: .*key/],
    ['a name in capitals', [{ ...GEMINI, name: 'Studio' }], /upstreams\.0\.name: must have 1–31 lowercase/],
    ['a repeated name', [GEMINI, { ...VERTEX, name: GEMINI.name }], /upstreams: must have a different name/],
    ['a priority of 0', [{ ...GEMINI, priority: 0 }], /upstreams\.0\.priority: /],
    ['a weight of 0', [{ ...GEMINI, weight: 0 }], /upstreams\.0\.weight: /],
    ['a limit of 0', [{ ...GEMINI, submitsPerMinute: 0 }], /upstreams\.0\.submitsPerMinute: /],
    ['a limit that is text', [{ ...GEMINI, videosAtOnce: '5' }], /upstreams\.0\.videosAtOnce: /],
    ['an address without a protocol', [{ ...GEMINI, baseUrl: 'proxy' }], /upstreams\.0\.baseUrl: /],
    ['a bucket without gs://', [{ ...VERTEX, storageUri: 's3://b/' }], /storageUri: must be gs:\/\/BUCKET\//],
    ['a folder without its slash', [{ ...VERTEX, storageUri: 'gs://bucket/a' }], /storageUri: must be gs:/],
    ['a missing project', [{ ...VERTEX, project: undefined }], /upstreams\.0\.project: /],
    ['eleven upstreams', many(11), /upstreams: must have at most 10 upstreams/],
    [
      'more than fits into the environment of a function',
      many(10, { baseUrl: `https://${'long.'.repeat(30)}example.com` }),
      /upstreams: must be shorter: with defaults, at most \d+ characters of JSON fit/,
    ],
    [
      'a model that is not of this service',
      [{ ...GEMINI, models: { 'veo-3.1': 'x' } }],
      /upstreams\.0\.models\.veo-3\.1: the name must be one of/,
    ],
    [
      'a model that no upstream offers',
      many(2, { models: { [VIDEO]: null } }),
      /upstreams: must offer each model at one upstream at least: video-/,
    ],
  ];
  for (const [title, upstreams, message] of REFUSED)
    test(`refuses ${title}`, () => assert.throws(() => readConfig({ upstreams }), message));

  for (const setting of [
    { upstreamBaseUrl: 'https://proxy.example.com' },
    { upstreamKeyHeader: 'x-key' },
    { upstreamModels: { [VIDEO]: 'theirs' } },
  ])
    test(`is not combined with ${Object.keys(setting)[0]}`, () =>
      assert.throws(
        () => readConfig({ upstreams: [GEMINI], ...setting }),
        /upstreams: must not be combined with upstreamBaseUrl, upstreamKeyHeader and upstreamModels/,
      ));
});
