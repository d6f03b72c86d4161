import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  Base64,
  dataUrl,
  Form,
  formBody,
  formFields,
  imageFile,
  jsonBody,
  toBody,
} from '../../../../functions/upstream/adapters/request-bodies.ts';

const sent = (init: RequestInit) => new Response(init.body ?? null).bytes();
const header = (init: RequestInit, name: string) => new Headers(init.headers).get(name) ?? '';

const pieceLengths = async ({ body }: RequestInit): Promise<number[]> => {
  const lengths: number[] = [];
  for await (const piece of new Response(body ?? null).body ?? []) lengths.push(piece.length);
  return lengths;
};

describe('a JSON body', () => {
  const LENGTHS = [0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000];
  for (const length of LENGTHS)
    test(`has an image of ${length} bytes in Base64 and the right content-length`, async () => {
      const bytes = randomBytes(length + 5).subarray(5);
      const value = {
        a: ['ü "\\ 🦊', { data: new Base64(bytes) }, { data: new Base64(bytes) }],
        z: undefined,
      };
      const init = jsonBody(value);
      const text = Buffer.from(await sent(init)).toString();
      const data = bytes.toString('base64');
      assert.equal(text, JSON.stringify({ a: ['ü "\\ 🦊', { data }, { data }] }));
      assert.equal(header(init, 'content-length'), String(Buffer.byteLength(text)));
      assert.equal(header(init, 'content-type'), 'application/json');
    });

  test('has data URLs with the type of the image', async () => {
    const init = jsonBody([dataUrl({ bytes: Uint8Array.of(1, 2), mimeType: 'image/png' }), 'end']);
    const text = Buffer.from(await sent(init)).toString();
    assert.equal(text, '["data:image/png;base64,AQI=","end"]');
    assert.equal(header(init, 'content-length'), String(text.length));
  });

  test('is a string if there is no image', () => {
    const { body, headers } = jsonBody({ prompt: 'A fox' });
    assert.deepEqual([body, headers], ['{"prompt":"A fox"}', { 'content-type': 'application/json' }]);
  });

  test('is sent in small pieces', async () => {
    const lengths = await pieceLengths(jsonBody([new Base64(Buffer.alloc(1_000_000))]));
    assert.ok(lengths.length > 10 && Math.max(...lengths) <= 65_536, String(lengths));
  });
});

describe('a form', () => {
  const read = async (form: Form) => {
    const init = formBody(form);
    const bytes = await sent(init);
    assert.equal(header(init, 'content-length'), String(bytes.length));
    const type = header(init, 'content-type');
    const parsed = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return { parsed, type, text: Buffer.from(bytes).toString('latin1') };
  };
  const PICTURE = { bytes: randomBytes(100_005).subarray(5), mimeType: 'image/png' };

  test('has its fields and files, byte by byte', async () => {
    const form = new Form([
      ...formFields({ prompt: 'Ein Füchs 🦊\r\n--x\n"quoted"', seed: 0, absent: undefined }),
      imageFile('image[]', PICTURE, 0),
      imageFile('image[]', { bytes: new Uint8Array(), mimeType: 'image/jpeg' }, 1),
      { name: 'last', value: '' },
    ]);
    const { parsed } = await read(form);
    assert.deepEqual([...parsed.keys()], ['prompt', 'seed', 'image[]', 'image[]', 'last']);
    assert.deepEqual(
      [parsed.get('prompt'), parsed.get('seed'), parsed.get('last')],
      ['Ein Füchs 🦊\r\n--x\n"quoted"', '0', ''],
    );
    const [first, second] = parsed.getAll('image[]');
    assert.ok(first instanceof File && second instanceof File);
    assert.deepEqual(
      [first, second].map(({ name, type, size }) => [name, type, size]),
      [
        ['image-1.png', 'image/png', 100_000],
        ['image-2.jpeg', 'image/jpeg', 0],
      ],
    );
    assert.ok(Buffer.from(await first.bytes()).equals(PICTURE.bytes));
  });

  test('has a boundary that no value can contain, and another one each time', async () => {
    const form = new Form(formFields({ prompt: 'p' }));
    const types = [(await read(form)).type, (await read(form)).type];
    assert.notEqual(types[0], types[1]);
    for (const type of types) assert.match(type, /^multipart\/form-data; boundary=[0-9a-f-]{36}$/);
  });

  test('escapes names, so that they cannot add a header', async () => {
    const evil = 'a"\r\nX-Evil: 1';
    const { text, parsed } = await read(
      new Form([
        { name: evil, value: 'v' },
        { name: 'file', fileName: evil, ...PICTURE },
      ]),
    );
    assert.ok(text.includes('name="a%22%0D%0AX-Evil: 1"\r\n\r\nv'));
    assert.ok(text.includes('filename="a%22%0D%0AX-Evil: 1"\r\nContent-Type: image/png\r\n\r\n'));
    assert.equal([...parsed.keys()].length, 2);
  });

  test('is sent in small pieces', async () => {
    const picture = { bytes: Buffer.alloc(1_000_000), mimeType: 'image/png' };
    const lengths = await pieceLengths(formBody(new Form([imageFile('image', picture, 0)])));
    assert.ok(lengths.length > 10 && Math.max(...lengths) <= 65_536, String(lengths));
  });
});

test('a body is JSON unless it is a form', () => {
  assert.equal(header(toBody({ a: 1 }), 'content-type'), 'application/json');
  assert.match(header(toBody(new Form([])), 'content-type'), /^multipart\/form-data;/);
});
