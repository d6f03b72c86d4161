import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImages, videoRequestReader } from '../../../functions/agents/tool-arguments.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { anUpstream, FAST, OWN_NAMES, STANDARD } from '../../support/builders/upstream.ts';
import { imageKind } from '../../support/images.ts';

const ONE = `file_0${'a'.repeat(25)}`;
const TWO = `file_0${'b'.repeat(25)}`;
const ADDRESS = 'https://images.example.com/fox.png';
const FRAMES = { first_frame_file_id: ONE, last_frame_file_id: TWO };
const REFERENCES = { reference_file_ids: [ONE, TWO] };
const reader = (models: Upstream['models'] = OWN_NAMES) =>
  videoRequestReader({ UPSTREAMS: [anUpstream('a', { models })] });
const read = reader();
const PROMPT = { prompt: 'a fox' };

test('the arguments of a video are read like a request of the REST API', () => {
  for (const [given, inputs] of [
    [{}, []],
    [FRAMES, [`first_frame ${ONE}`, `last_frame ${TWO}`]],
    [REFERENCES, [`reference ${ONE}`, `reference ${TWO}`]],
    [{ first_frame_file_id: ADDRESS }, [`first_frame ${ADDRESS}`]],
  ] as const) {
    const found = read({ ...PROMPT, ...given }).inputs.map(
      ({ role, image }) => `${role} ${imageKind(image)}`,
    );
    assert.deepEqual(found, inputs);
  }
});

test('the default model is one that the deployment offers', () => {
  const requests = [
    read(PROMPT),
    read({ ...PROMPT, model: STANDARD }),
    reader({ [STANDARD]: 'veo' })(PROMPT),
  ];
  assert.deepEqual(
    requests.map(({ model }) => model),
    [FAST, STANDARD, STANDARD],
  );
});

test('errors name the arguments of the tool', () => {
  for (const [given, param, message] of [
    [
      { ...FRAMES, ...REFERENCES },
      'reference_file_ids',
      /combined with first_frame_file_id or last_frame_file_id/,
    ],
    [
      { last_frame_file_id: ONE },
      'first_frame_file_id',
      /^last_frame_file_id .* send it as first_frame_file_id\.$/,
    ],
  ] as const)
    assert.throws(() => read({ ...PROMPT, ...given }), { param, message });
});

test('images are made from a text, or from images', () => {
  const images = { ...PROMPT, n: 2, image_size: undefined };
  const sources = [images, { ...images, image_file_ids: [ONE, TWO] }].map((given) => {
    const { request, count } = readImages(given);
    return [
      count,
      ...request.turns.flatMap(({ parts }) => parts.map(({ content }) => Object(content).image)),
    ];
  });
  const files = [{ fileId: ONE }, { fileId: TWO }];
  assert.deepEqual(sources, [
    [2, undefined],
    [2, undefined, ...files],
  ]);
});
