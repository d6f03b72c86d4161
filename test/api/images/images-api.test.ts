import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describePicture, expectedPicture, IMAGE_MODEL } from '../../support/images/pictures.ts';
import { bearer, EDITS, GENERATIONS, generationBody, post } from '../../support/images/requests.ts';
import { file, JPEG, PNG } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const FOX = file(PNG, 'fox.png', 'image/png');
const SNOW = file(JPEG, 'snow.jpg', 'image/jpeg');

type Field = readonly [name: string, value: string | File];

const sendForm = (...fields: readonly Field[]): Promise<Response> => {
  const body = new FormData();
  for (const [name, value] of [
    ['model', IMAGE_MODEL],
    ['prompt', 'A fox'],
    ['size', '512x512'],
    ...fields,
  ] as const)
    body.append(name, value);
  return fetch(`${service.baseUrl}${EDITS}`, { method: 'POST', headers: bearer(service.apiKey), body });
};

describe('an edit as a form', () => {
  const FORMS: readonly (readonly [title: string, fields: readonly Field[], imageTokens: number])[] = [
    ['image', [['image', FOX]], 258],
    [
      'image, repeated',
      [
        ['image', FOX],
        ['image', SNOW],
      ],
      516,
    ],
    ['image[]', [['image[]', FOX]], 258],
    [
      'image[], repeated',
      [
        ['image[]', FOX],
        ['image[]', SNOW],
      ],
      516,
    ],
    [
      'all options that are taken',
      [
        ['image', FOX],
        ['n', '1'],
        ['stream', 'false'],
        ['quality', 'auto'],
        ['seed', '7'],
        ['output_format', 'jpeg'],
        ['output_compression', '100'],
      ],
      258,
    ],
  ];
  for (const [title, fields, imageTokens] of FORMS)
    test(`takes ${title}`, async () => {
      const response = await sendForm(...fields);
      const { data, usage } = JSON.parse(await response.text());
      assert.equal(response.status, 200);
      assert.equal(describePicture(data[0].b64_json), expectedPicture('1:1', '512'));
      assert.equal(usage.input_tokens_details.image_tokens, imageTokens);
    });
});

describe('a stream', () => {
  const stream = async (prompt: string): Promise<{ response: Response; text: string }> => {
    const response = await fetch(`${service.baseUrl}${GENERATIONS}`, {
      method: 'POST',
      headers: { ...bearer(service.apiKey), 'content-type': 'application/json' },
      body: JSON.stringify({ ...generationBody(prompt), stream: true }),
    });
    return { response, text: await response.text() };
  };

  test('has comments, then one event', async () => {
    const { response, text } = await stream('A fox [sample: delay 6s]');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.match(text, /^(?:: working\n\n){2,}event: image_generation\.completed\ndata: \{.*\}\n\n$/);
  });

  test('that fails has the error as its event', async () => {
    const { response, text } = await stream('A fox [sample: error 400]');
    assert.equal(response.status, 200);
    assert.match(
      text,
      /^(?:: working\n\n)+event: error\ndata: \{"error":\{.*"code":"upstream_rejected"\}\}\n\n$/,
    );
  });
});

describe('a conversion', () => {
  const generate = (fields: object) =>
    post(service, GENERATIONS, bearer(service.apiKey), { ...generationBody('A fox'), ...fields });

  test('to a lower quality makes the same image smaller', async () => {
    const [best, small] = await Promise.all([generate({}), generate({ output_compression: 20 })]);
    assert.equal(describePicture(small.body.data[0].b64_json), expectedPicture('1:1', '512'));
    assert.ok(small.body.data[0].b64_json.length < best.body.data[0].b64_json.length);
    assert.deepEqual(small.body.usage, best.body.usage);
  });

  test('of an image that cannot be read fails, and tells the client not to retry', async () => {
    const prompt = 'A fox [sample: truncated image]';
    const { status, headers, body } = await generate({ prompt, output_format: 'webp' });
    assert.deepEqual(
      [status, body.error.code, body.error.type, headers.get('x-should-retry')],
      [502, 'image_not_converted', 'server_error', 'false'],
    );
    assert.match(body.error.message, /cannot be read/);
  });
});
