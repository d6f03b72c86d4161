import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRelatedParts } from '../../../../functions/files/api/multipart-upload.ts';

const TYPE = 'multipart/related; boundary=xyz';
const METADATA = '--xyz\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{"file":{"displayName":"a"}}';
const FILE = '\r\n--xyz\r\nContent-Type: image/png\r\n\r\n';
const bytes = Buffer.from([0xff, 0, 13, 10, 13, 10, 45, 45, 0xfe]);
const build = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));
const WHOLE = build(METADATA, FILE, bytes, '\r\n--xyz--');

describe('multipart/related', () => {
  const ACCEPTED: Readonly<Record<string, readonly [type: string, body: Buffer]>> = {
    'as the SDK sends it': [TYPE, WHOLE],
    'with a quoted boundary and other parameters': [
      'Multipart/Related; type="application/json"; boundary="xyz"; start=a',
      WHOLE,
    ],
    'with a preamble, an epilogue and no headers': [
      TYPE,
      build(
        'before\r\n--xyz\r\n\r\n{"file":{"displayName":"a"}}\r\n--xyz\r\n\r\n',
        bytes,
        '\r\n--xyz--\r\nafter',
      ),
    ],
  };
  for (const [title, [type, body]] of Object.entries(ACCEPTED))
    test(`is read ${title}`, () => {
      const parts = readRelatedParts(type, body);
      assert.deepEqual(parts.fields, { file: { displayName: 'a' } });
      assert.ok(bytes.equals(parts.bytes));
    });

  const REFUSED: Readonly<
    Record<string, readonly [type: string | undefined, body: Buffer | string, RegExp]>
  > = {
    'of another type': ['multipart/form-data; boundary=xyz', WHOLE, /must be multipart\/related/],
    'without a type': [undefined, WHOLE, /must be multipart\/related/],
    'that the gateway has made text': [TYPE, 'text', /must be multipart\/related/],
    'without a boundary': ['multipart/related', WHOLE, /no usable boundary/],
    'with another boundary': ['multipart/related; boundary=abc', WHOLE, /has no parts/],
    'that is empty': [TYPE, Buffer.alloc(0), /has no parts/],
    'that ends within the metadata': [TYPE, build(METADATA), /is truncated/],
    'that ends within the file': [TYPE, build(METADATA, FILE, bytes), /is truncated/],
    'with one part': [TYPE, build(METADATA, '\r\n--xyz--'), /is truncated/],
    'with three parts': [TYPE, build(METADATA, FILE, bytes, FILE, bytes, '\r\n--xyz--'), /two parts/],
    'whose metadata is not JSON': [
      TYPE,
      build('--xyz\r\n\r\nname', FILE, bytes, '\r\n--xyz--'),
      /not valid JSON/,
    ],
  };
  for (const [title, [type, body, message]] of Object.entries(REFUSED))
    test(`is rejected ${title}`, () =>
      assert.throws(() => readRelatedParts(type, body), { name: 'DomainError', message }));
});
