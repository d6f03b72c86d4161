import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { readFileForm, readUpload } from '../../../../functions/files/api/create-file.ts';
import { FILE_API } from '../../../../functions/files/api/file-operations.ts';
import { FilePart } from '../../../../functions/platform/body/fields.ts';
import { PNG } from '../../../support/images.ts';
import { refusesField } from '../../../support/queries.ts';

const TERMS = { name: 'fox.png', bytes: PNG.length, mimeType: 'image/png', purpose: 'vision' };

/** Each of them with the field that it is refused for. */
const SHARED_ERRORS: readonly (readonly [fields: object, param: string])[] = [
  [{ purpose: 'batch' }, 'purpose'],
  [{ purpose: undefined }, 'purpose'],
  [{ expires_after: { anchor: 'now', seconds: 3600 } }, 'expires_after.anchor'],
  [{ expires_after: { anchor: 'created_at', seconds: 3599 } }, 'expires_after.seconds'],
  [{ expires_after: { anchor: 'created_at', seconds: 2_592_001 } }, 'expires_after.seconds'],
];

describe('a form with a file', () => {
  const part = (name: string, bytes: Uint8Array = PNG) => new FilePart(bytes, name);
  const read = (fields: object) => readFileForm({ file: part('fox.png'), purpose: 'vision', ...fields });

  test('is read with the name and the kind of the image', () => {
    assert.deepEqual(read({}), { bytes: PNG, terms: { ...TERMS, lifetimeSeconds: undefined } });
    const expires_after = { anchor: 'created_at', seconds: 3600 };
    assert.equal(read({ file: part(''), expires_after }).terms.name, 'file');
    assert.equal(read({ expires_after }).terms.lifetimeSeconds, 3600);
    assert.equal(read({ file: part('é'.repeat(255)), purpose: 'user_data' }).terms.purpose, 'user_data');
  });

  test('has a part for the image and nested fields in brackets, as the document says', () => {
    const { body } = FILE_API.operations.find(({ id }) => id === 'createFile') ?? assert.fail();
    assert.deepEqual(Object(body)['multipart/form-data'].encoding, {
      file: { contentType: 'image/jpeg, image/png, image/webp' },
      expires_after: { style: 'deepObject', explode: true },
    });
  });

  test('is refused for what is no image', () => {
    const file = part('fox.png', new Uint8Array(20));
    assert.throws(() => read({ file }), { code: 'invalid_image', param: 'file', message: /is not an image/ });
  });

  for (const [fields, param, message] of [
    [{ file: undefined }, 'file', /is required/],
    [{ file: 'text' }, 'file', /must be a file/],
    [{ file: [part('a'), part('b')] }, 'file', /takes one file, but 2 were sent/],
    [{ file: part('a\u0007') }, 'file', /has a name that must have 1 to 255 characters/],
    [{ file: part(' ') }, 'file', /has a name that must/],
    [{ file: part('a'.repeat(256)) }, 'file', /has a name that must/],
    ...SHARED_ERRORS.map((row) => [...row, /./] as const),
  ] as const)
    test(`is refused for ${param} ${message}`, () => refusesField(() => read(fields), param, message));
});

describe('an upload through a signed URL', () => {
  const UPLOAD = { filename: 'fox.png', bytes: 20_000_000, mime_type: 'image/webp', purpose: 'vision' };
  const read = (fields: object) => readUpload({ ...UPLOAD, ...fields });
  const hash = createHash('sha256').update('fox').digest();

  test('is read with its size and its hash in any notation', () => {
    const terms = { ...TERMS, bytes: 20_000_000, mimeType: 'image/webp', lifetimeSeconds: undefined };
    assert.deepEqual(read({}), { terms, sha256: undefined });
    for (const sha256 of [
      hash.toString('hex'),
      hash.toString('hex').toUpperCase(),
      hash.toString('base64'),
      hash.toString('base64url'),
    ])
      assert.equal(read({ sha256 }).sha256, hash.toString('base64'));
    assert.equal(
      read({ expires_after: { anchor: 'created_at', seconds: 2_592_000 } }).terms.lifetimeSeconds,
      2_592_000,
    );
    assert.equal(read({ bytes: 1 }).terms.bytes, 1);
  });

  for (const [fields, param] of [
    [{ filename: '' }, 'filename'],
    [{ filename: ' ' }, 'filename'],
    [{ filename: 'a\u0085' }, 'filename'],
    [{ filename: 'a\u202egpj.exe' }, 'filename'],
    [{ filename: 'a\u2028b' }, 'filename'],
    [{ filename: 'a'.repeat(256) }, 'filename'],
    [{ bytes: 0 }, 'bytes'],
    [{ bytes: 1.5 }, 'bytes'],
    [{ bytes: 20_000_001 }, 'bytes'],
    [{ mime_type: 'image/gif' }, 'mime_type'],
    [{ sha256: hash.subarray(1).toString('base64') }, 'sha256'],
    [{ sha256: `${hash.toString('hex')}00` }, 'sha256'],
    [{ sha256: `00${hash.toString('hex')}` }, 'sha256'],
    [{ sha256: 7 }, 'sha256'],
    ...SHARED_ERRORS,
  ] as const)
    test(`is refused with ${JSON.stringify(fields).slice(0, 80)}`, () =>
      refusesField(() => read(fields), param, /must|required|longer/));
});
