import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  decodeBase64,
  image,
  imageFieldIn,
  toFileReference,
} from '../../../../functions/catalogue/api/image.ts';
import { FilePart } from '../../../../functions/platform/body/fields.ts';
import { parseBody } from '../../../../functions/platform/body/parse.ts';
import { openFields } from '../../../../functions/platform/body/schema.ts';
import { dataUri, JPEG, PNG } from '../../../support/images.ts';
import { refusesField } from '../../../support/queries.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const random = seededRandom(7);
const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

describe('decodeBase64', () => {
  test('reads both alphabets, with and without padding', () => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = randomBytes(length);
      const standard = bytes.toString('base64');
      const urlSafe = standard.replaceAll('+', '-').replaceAll('/', '_');
      for (const text of [standard, urlSafe, standard.replaceAll('=', ''), urlSafe.replaceAll('=', '')])
        assert.deepEqual(decodeBase64(text), bytes, text);
    }
  });

  for (const text of [
    ...'A AAAAA QQ= QQ=== QUI== QUJD= = == ==== Q=Q= AA==AA== ab+_ -/ab QU%2B'.split(' '),
    ...['QU JD', 'QUJD\n', 'QUJ\u00e9', 'QUJ\ud800'],
  ])
    test(`rejects ${JSON.stringify(text)}`, () => assert.equal(decodeBase64(text), undefined));

  test('reads 10 MB in linear time', () => {
    const seconds = (text: string) => {
      const started = process.cpuUsage();
      decodeBase64(text);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1e6;
    };
    for (const text of [`${'A'.repeat(10e6)}!`, '='.repeat(10e6), `${'-'.repeat(10e6)}+`, 'A'.repeat(10e6)])
      assert.ok(seconds(text) < 2);
  });
});

describe('a file reference', () => {
  const bare = '01kf0xw3g0a1b2c3d4e5f6g7h8';

  for (const name of [
    `file_${bare}`,
    `files/file_${bare}`,
    `files/${bare}`,
    `https://api.example.com/v1beta/files/${bare}`,
    `http://127.0.0.1:8787/prod/v1beta/files/${bare}`,
  ])
    test(`is ${name}`, () => assert.deepEqual(toFileReference(name), { fileId: `file_${bare}` }));

  for (const name of [
    bare,
    `files/${bare}0`,
    `files/${bare.slice(1)}`,
    'files/abcdefghijkl',
    'https://generativelanguage.googleapis.com/v1beta/files/abcdefghijkl',
    `https://api.example.com/files/${bare}`,
    `https://api.example.com/v1beta/files/${bare}:download`,
    `https://api.example.com/v1beta/files/${bare}?alt=media`,
    `https://api.example.com/a b/v1beta/files/${bare}`,
    `ftp://api.example.com/v1beta/files/${bare}`,
    `gs://bucket/v1beta/files/${bare}`,
    `https://${'a'.repeat(3000)}/v1beta/files/${bare}`,
    7,
    undefined,
  ])
    test(`is not ${String(name).slice(0, 80)}`, () => assert.equal(toFileReference(name), undefined));
});

const FILE_ID = 'file_01kf0xw3g0a1b2c3d4e5f6g7h8';

describe('an image', () => {
  const schema = openFields({ image });
  const read = (value: unknown) => parseBody(schema, { image: value }).image;
  const base64 = PNG.toString('base64');

  test('is read in any form that clients send', () => {
    const png = { bytes: PNG, mimeType: 'image/png' };
    for (const value of [
      dataUri(PNG, 'image/png').replace('data:image/png;base64', 'DATA:;BASE64'),
      [dataUri(PNG, 'image/png')],
      new FilePart(PNG),
      { image_url: dataUri(PNG, 'image/png') },
      { image_url: { url: dataUri(PNG, 'image/png') } },
      { bytesBase64Encoded: base64 },
      { bytesBase64Encoded: base64, mimeType: 'image/png', type: 'image', detail: 'high' },
    ])
      assert.partialDeepStrictEqual(read(value), png);
    assert.partialDeepStrictEqual(read(new FilePart(JPEG)), { mimeType: 'image/jpeg' });
    for (const value of [FILE_ID, { file_id: FILE_ID }, { fileId: FILE_ID }])
      assert.deepEqual(read(value), { fileId: FILE_ID });
    const address = 'HTTPS://images.example.com/a.png?token=b#c';
    for (const value of [address, { image_url: address }, { image_url: { url: address } }])
      assert.deepEqual(read(value), { address });
  });

  test('is refused in two forms at once, and twice', () => {
    const FORMS = {
      file_id: FILE_ID,
      fileId: FILE_ID,
      image_url: dataUri(PNG, 'image/png'),
      bytesBase64Encoded: base64,
    };
    const names = Object.keys(FORMS);
    for (const [position, name] of names.entries())
      for (const other of names.slice(position + 1)) {
        const both = Object.fromEntries(
          Object.entries(FORMS).filter(([each]) => each === name || each === other),
        );
        refusesField(() => read(both), 'image', new RegExp(`takes one of ${name}, ${other}, not both`));
      }
    refusesField(() => read([FILE_ID, FILE_ID]), 'image', /takes one image, but 2 were sent/);
  });

  for (const [value, place, code, message] of [
    ['http://example.com/a.png', '', 'remote_image_not_supported', /must begin with https/],
    ['https://user:secret@example.com/a.png', '', 'remote_image_not_supported', /user name or a password/],
    ['https://example.com:8443/a.png', '', 'remote_image_not_supported', /must not name a port/],
    ['https://169.254.169.254/a.png', '', 'remote_image_not_supported', /private or reserved/],
    [{ image_url: { url: 'https://localhost/a' } }, '.image_url.url', 'remote_image_not_supported', /public/],
    [`https://example.com/${'a'.repeat(8192)}`, '', 'remote_image_not_supported', /at most 8192/],
    ['S3+X://a', '', 'remote_image_not_supported', /not an https address/],
    [' https://a', '', 'invalid_request', /must be an image file/],
    [`x${dataUri(PNG, 'image/png')}`, '', 'invalid_request', /must be an image file/],
    [dataUri(PNG, 'x'.repeat(200)), '', 'invalid_request', /must be an image file/],
    ['data:image/png;base64,%', '', 'invalid_image', /not valid Base64/],
    [dataUri(Buffer.from('GIF89a'), 'image/png'), '', 'invalid_image', /accepted type/],
    [{ image_url: {} }, '.image_url.url', 'invalid_request', /is required/],
    [{ image_url: { url: 7 } }, '.image_url.url', 'invalid_request', /must be a string, given once/],
    [{ bytesBase64Encoded: 7 }, '.bytesBase64Encoded', 'invalid_request', /must be a string/],
    [7, '', 'invalid_request', /must be an image file, a data URI, or an object/],
  ] as const)
    test(`is refused if it is ${JSON.stringify(value).slice(0, 60)}`, () =>
      assert.throws(() => read(value), { code, param: `image${place}`, message }));
});

test('the field of a file is named in the spelling of the client', () => {
  const other = 'file_01kf0xw3g0aaaaaaaaaaaaaaaa';
  const reference_images = [other, { image: { file_id: FILE_ID } }];
  const body = { prompt: FILE_ID, text: FILE_ID, content: FILE_ID, metadata: { reference_images } };
  assert.equal(imageFieldIn(body)(FILE_ID), 'metadata.reference_images[1].image.file_id');
  assert.equal(imageFieldIn(body)(other), 'metadata.reference_images[0]');
  assert.equal(imageFieldIn({})(other), '');
});
