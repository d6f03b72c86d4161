import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MODELS } from '../../functions/catalogue/domain/models.ts';
import { offeredModels } from '../../functions/upstream/domain/capabilities.ts';
import { readConfig, requireDeployable } from '../../lib/config.ts';
import { OWN_NAMES } from '../support/builders/upstream.ts';

const GEMINI = { name: 'studio-a', kind: 'gemini' } as const;
const VERTEX = { name: 'vertex-us', kind: 'vertex', project: 'acme', location: 'us-central1' } as const;
const OPENAI = { name: 'hub', kind: 'openai', baseUrl: 'https://hub.example.com' } as const;
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
    [
      'an unknown field of what it offers',
      [{ ...GEMINI, offers: { resolution: ['720p'] } }],
      /upstreams\.0\.offers: .*resolution/,
    ],
    [
      'an Omni upstream at Vertex AI without a bucket',
      [{ name: 'omni', kind: 'interactions', project: 'acme' }],
      /upstreams\.0: must have both project and storageUri/,
    ],
    [
      'an image model of a kind that makes no images',
      [{ name: 'omni', kind: 'interactions', models: { 'image-3.1-flash-image-preview': 'theirs' } }],
      /upstreams\.0\.models: must name video models only/,
    ],
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
      'a list that offers no model',
      [{ ...GEMINI, models: { 'image-3.1-flash-image-preview': null } }],
      /upstreams: must offer at least one model: name one of video-/,
    ],
    ['an unknown mode', [{ ...GEMINI, offers: { modes: ['remix'] } }], /upstreams\.0\.offers\.modes\.0: /],
    [
      'no resolution at all',
      [{ ...GEMINI, offers: { resolutions: [] } }],
      /upstreams\.0\.offers\.resolutions: /,
    ],
    ['an unknown style of options', [{ ...OPENAI, options: 'all' }], /upstreams\.0\.options: /],
    [
      'a server of the Videos API without its address',
      [{ name: 'a', kind: 'openai' }],
      /upstreams\.0\.baseUrl: /,
    ],
  ];
  for (const [title, upstreams, message] of REFUSED)
    test(`refuses ${title}`, () => assert.throws(() => readConfig({ upstreams }), message));
});

describe('the setting upstream', () => {
  const read = (upstream: unknown) => readConfig({ upstream }).upstreams;
  const DEFAULTS = { models: {}, priority: 1, weight: 1 };

  const PRESETS: readonly (readonly [given: unknown, expected: readonly object[]])[] = [
    [
      'openrouter',
      [{ ...DEFAULTS, name: 'openrouter', kind: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1' }],
    ],
    [
      '{"kind":"openai","baseUrl":"https://hub.example.com/v1/","options":"media-generation"}',
      [
        {
          ...DEFAULTS,
          name: 'openai',
          kind: 'openai',
          baseUrl: 'https://hub.example.com',
          options: 'media-generation',
        },
      ],
    ],
    [
      'gemini',
      [
        {
          ...DEFAULTS,
          name: 'gemini',
          kind: 'gemini',
          baseUrl: 'https://generativelanguage.googleapis.com',
          keyHeader: 'x-goog-api-key',
        },
      ],
    ],
  ];
  for (const [given, expected] of PRESETS)
    test(`expands ${given}`, () => assert.deepEqual(read(given), expected));

  test('expands google-cloud to two upstreams in different locations, with one credential', () => {
    const given = {
      kind: 'google-cloud',
      project: 'acme-media',
      storageUri: 'gs://acme/',
      imageLocation: 'eu',
    };
    const common = {
      kind: 'vertex',
      project: 'acme-media',
      credential: 'google-cloud',
      priority: 1,
      weight: 1,
    };
    assert.deepEqual(read(given), [
      {
        ...common,
        name: 'google-cloud-video',
        location: 'us-central1',
        storageUri: 'gs://acme/',
        models: { 'image-3.1-flash-image-preview': null },
      },
      {
        ...common,
        name: 'google-cloud-image',
        location: 'eu',
        models: { 'video-3.1-generate-preview': null, 'video-3.1-fast-generate-preview': null },
      },
    ]);
    assert.deepEqual(offeredModels(read(given)), Object.keys(OWN_NAMES));
  });

  const REFUSED: readonly (readonly [title: string, given: unknown, message: RegExp])[] = [
    ['an unknown preset', 'sora', /upstream\.kind: /],
    ['a preset without its project', 'google-cloud', /upstream\.project: /],
    ['a preset without its address', 'openai', /upstream\.baseUrl: /],
    [
      'text that is no JSON',
      '{"kind"',
      /upstream: must be a preset or JSON: openrouter, \{"kind":"google-cloud"/,
    ],
    ['an unknown field', { kind: 'openrouter', key: 'k' }, /upstream: .*key/],
  ];
  for (const [title, given, message] of REFUSED)
    test(`refuses ${title}`, () => assert.throws(() => read(given), message));

  test('is not combined with upstreams', () =>
    assert.throws(
      () => readConfig({ upstream: 'openrouter', upstreams: [GEMINI] }),
      /upstream: must not be combined with upstreams/,
    ));
});

describe('a deployment', () => {
  test('requires an upstream, and names the presets', () =>
    assert.throws(() => requireDeployable(readConfig({})), {
      name: 'ConfigError',
      message:
        'Configuration upstream: is required, to say who generates the videos and images: set it to openrouter, {"kind":"google-cloud","project":"PROJECT"} or {"kind":"openai","baseUrl":"https://…"}.',
    }));

  for (const address of [
    'http://gateway.example.com',
    'https://127.0.0.1:4000',
    'https://localhost',
    'https://[::1]',
    'https://10.1.2.3',
    'https://172.31.0.1:8443',
    'https://192.168.0.1',
    'https://169.254.169.254',
    'https://100.64.0.1',
    'https://[fd00::1]',
    'https://hub.internal',
    'https://hub',
  ])
    test(`refuses ${address}`, () => {
      const config = readConfig({ upstream: { kind: 'openai', baseUrl: address } });
      assert.throws(() => requireDeployable(config), {
        message: `Configuration upstreams: must use https and a public host, but has ${address}.`,
      });
    });

  test('refuses a provider that only this machine or its network reaches', () => {
    for (const issuer of ['http://localhost:8080/realms/x', 'https://10.1.2.3', 'https://login.internal']) {
      const config = readConfig({ upstream: 'openrouter', signIn: { issuer, clientId: 'media' } });
      assert.throws(
        () => requireDeployable(config),
        /^ConfigError: Configuration signIn\.issuer: must use https/,
      );
    }
  });

  test('accepts every preset', () => {
    for (const upstream of ['openrouter', 'gemini', { kind: 'google-cloud', project: 'acme-media' }])
      assert.doesNotThrow(() => requireDeployable(readConfig({ upstream })));
  });
});
