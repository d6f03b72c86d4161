import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  readProtocol,
  readRelatedParts,
  readUploadStart,
  readUploadStep,
  readWholeUpload,
} from '../../../../functions/files/api/native-upload.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { PNG } from '../../../support/images.ts';

type Headers = Readonly<Record<string, string>>;
const reader = (headers: Headers) => (name: string) => headers[name];
const START = { 'x-goog-upload-command': 'start', 'content-type': 'application/json' };
const start = (headers: Headers, file: object = {}) =>
  readUploadStart(reader({ ...START, ...headers }), Buffer.from(JSON.stringify({ file })));

/** The words begin with the code and the field of the error. */
const refuses = (read: () => unknown, words: RegExp): void =>
  assert.throws(
    read,
    (error) => error instanceof DomainError && words.test(`${error.code} ${error.param}: ${error.message}`),
  );

describe('the protocol', () => {
  test('is resumable or multipart', () => {
    for (const kind of ['resumable', 'multipart'])
      assert.equal(readProtocol(reader({ 'x-goog-upload-protocol': ` ${kind.toUpperCase()} ` })), kind);
    for (const headers of [{}, { 'x-goog-upload-protocol': 'raw' }, { 'x-goog-upload-protocol': '' }])
      refuses(() => readProtocol(reader(headers)), /-Protocol: .* must be one of resumable, multipart/);
  });
});

describe('the start of an upload', () => {
  const LENGTH = 'x-goog-upload-header-content-length';
  const UNKNOWN = 'application/octet-stream';
  const DECLARED = 'x-goog-upload-header-content-type';

  test('has name, type and length in headers or fields, in either spelling', () => {
    const terms = { purpose: 'vision', lifetimeSeconds: undefined };
    assert.deepEqual(
      start({ [LENGTH]: '70', [DECLARED]: 'image/webp; q=1', 'x-goog-upload-file-name': 'b.webp' }),
      { ...terms, name: 'b.webp', bytes: 70, mimeType: 'image/webp' },
    );
    const fields = { display_name: 'a', size_bytes: '7', mime_type: 'image/jpg' };
    const named = start({ 'x-goog-upload-file-name': 'b' }, fields);
    assert.deepEqual(named, { ...terms, name: 'a', bytes: 7, mimeType: UNKNOWN });
    const bare = readUploadStart(reader({ 'x-goog-upload-command': ' Start ' }), '');
    assert.deepEqual(bare, { ...terms, name: 'file', bytes: undefined, mimeType: UNKNOWN });
  });

  test('accepts an absent, unknown or other image type, which its bytes decide', () => {
    for (const type of [undefined, '', 'application/octet-stream', 'image/heic'])
      assert.equal(start(type === undefined ? {} : { [DECLARED]: type }).mimeType, UNKNOWN);
    refuses(() => start({ [DECLARED]: 'text/plain' }), /^invalid_image X-Goog-Upload-Header-Content-Type/);
  });

  test('ignores spaces around a length, and an empty length', () => {
    const lengths = [' 70 ', '1', ' ', ''].map((text) => start({ [LENGTH]: text }).bytes);
    assert.deepEqual(lengths, [70, 1, undefined, undefined]);
  });

  test('replaces an empty or unusable file name', () => {
    assert.equal(start({ 'x-goog-upload-file-name': 'a\tb' }, { displayName: '' }).name, 'file');
    assert.equal(start({ 'x-goog-upload-file-name': 'a'.repeat(256) }).name, 'file');
  });

  const REFUSED: Readonly<Record<string, readonly [Headers, object, RegExp]>> = {
    'a command other than start': [{ 'x-goog-upload-command': 'upload' }, {}, /-Command: .* must be start/],
    'no bytes': [{ [LENGTH]: '0' }, {}, /-Length: .*Length must be how many bytes.* at most 14\.7 MB unless/],
    'more than 20 MB': [{ [LENGTH]: '20000001' }, {}, /-Length: .*at most 14\.7 MB unless/],
    'a length that is no number': [{ [LENGTH]: '1e3' }, {}, /-Length: .*Length must be a whole number/],
    'a length in the fields that is no number': [{}, { sizeBytes: '1.5' }, /sizeBytes: .* how many bytes/],
    'a type that is no image': [{}, { mimeType: 'video/mp4' }, /-Type: .* video\/mp4; the accepted/],
    'a name': [{}, { name: 'files/mine' }, /file\.name: file\.name is not supported/],
    'a long display name': [{}, { display_name: 'a'.repeat(256) }, /file\.display_name: .* is longer/],
    'a line break in its name': [{}, { displayName: 'a\nb' }, /file\.displayName: .* must have 1 to 255/],
    'a body of another type': [{ 'content-type': 'text/plain' }, {}, /null: .* application\/json/],
  };
  for (const [title, [headers, file, message]] of Object.entries(REFUSED))
    test(`is rejected with ${title}`, () => refuses(() => start(headers, file), message));

  test("is rejected over 4.4 MB from Google's SDKs, which send larger chunks", () => {
    const tooLarge = /^request_too_large .*Content-Length: .*POST \/v1\/files.*files\/FILE_ID as fileUri/;
    const sdk = { 'x-goog-api-client': 'google-genai-sdk/2.32.0 gl-node/v24.21.0' };
    const agent = { 'user-agent': 'google-genai-sdk/1.0.0 gl-python/3.13' };
    for (const client of [sdk, agent]) refuses(() => start({ ...client, [LENGTH]: '4613735' }), tooLarge);
    assert.equal(start({ ...sdk, [LENGTH]: '4613734' }).bytes, 4_613_734);
    assert.equal(start({ 'user-agent': 'curl/8', [LENGTH]: '20000000' }).bytes, 20_000_000);
  });
});

describe('a step of an upload', () => {
  const step = (command: string, body: Uint8Array | string = PNG, headers: Headers = {}) =>
    readUploadStep(
      reader({ 'x-goog-upload-command': command, 'x-goog-upload-offset': '5', ...headers }),
      body,
    );

  const open = (param: string) => ({ code: 'invalid_request', param, uploadStatus: 'active' });

  test('has a command, an offset and bytes', () => {
    const added = { offset: 5, bytes: PNG };
    assert.deepEqual(step('upload'), { added, isLast: false });
    for (const command of ['upload, finalize', 'Upload,FINALIZE', ' upload ,  finalize', 'finalize'])
      assert.deepEqual(step(command), { added, isLast: true }, command);
    assert.deepEqual(step('finalize', ''), { added: undefined, isLast: true });
    assert.deepEqual([step('query'), step('cancel')], ['query', 'cancel']);
  });

  test('is rejected with another command, and the upload stays open', () => {
    for (const command of ['', 'start', 'finalize, upload', 'upload, query', 'delete'])
      assert.throws(() => step(command), {
        message: /must be one of: upload; upload, finalize; finalize; query; cancel\./,
        ...open('X-Goog-Upload-Command'),
      });
  });

  test('is rejected without a usable offset', () => {
    assert.throws(() => readUploadStep(reader({ 'x-goog-upload-command': 'upload' }), PNG), {
      message: /Offset is required/,
      ...open('X-Goog-Upload-Offset'),
    });
    for (const offset of ['-1', '1.5', '0x5', '9'.repeat(17)])
      refuses(() => step('upload', PNG, { 'x-goog-upload-offset': offset }), /-Offset: .* a whole number/);
  });

  test('is rejected if the gateway has made its bytes text', () => {
    assert.throws(() => step('upload, finalize', '\ufffdPNG', { 'content-type': 'application/json' }), {
      code: 'unsupported_media_type',
      message: /content type application\/json, which this service reads as text/,
      uploadStatus: 'cancelled',
    });
  });
});

describe('a whole upload', () => {
  const send = (metadata: object, bytes: Buffer) =>
    readWholeUpload(
      reader({ 'content-type': 'multipart/related; boundary=b' }),
      Buffer.concat([
        Buffer.from(`--b\r\n\r\n${JSON.stringify(metadata)}\r\n--b\r\n\r\n`),
        bytes,
        Buffer.from('\r\n--b--'),
      ]),
    );

  test('has the type that its bytes have', () => {
    const { terms, bytes } = send({ file: { displayName: 'a', mimeType: 'image/jpeg' } }, PNG);
    const common = { purpose: 'vision', lifetimeSeconds: undefined };
    assert.deepEqual(terms, { ...common, name: 'a', mimeType: 'image/png', bytes: PNG.length });
    assert.ok(PNG.equals(bytes));
  });

  test('is rejected if it is no image', () => {
    refuses(() => send({}, Buffer.from('text')), /^invalid_image null: The file is not an image/);
    refuses(() => send({ file: { mimeType: 'application/pdf' } }, PNG), /^invalid_image .*-Type: .*pdf/);
  });
});

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
    'with a quoted boundary and others': ['Multipart/Related; type="a/b"; boundary="xyz"; start=a', WHOLE],
    'with spaces around the boundary': ['multipart/related ;  boundary=xyz  ; start=a', WHOLE],
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

  const REFUSED: Readonly<Record<string, readonly [string | undefined, Buffer | string, RegExp]>> = {
    'of another type': ['multipart/form-data; boundary=xyz', WHOLE, /type null: .*must be multipart/],
    'without a type': [undefined, WHOLE, /media_type null: .*must be multipart\/related/],
    'that the gateway has made text': [TYPE, 'text', /media_type null: .*must be multipart\/related/],
    'without a boundary': ['multipart/related', WHOLE, /no usable boundary/],
    'with text after the boundary': ['multipart/related; boundary=xyz a', WHOLE, /no usable boundary/],
    'with another boundary': ['multipart/related; boundary=abc', WHOLE, /has no parts/],
    'that is empty': [TYPE, Buffer.alloc(0), /has no parts/],
    'that ends within the metadata': [TYPE, build(METADATA), /is truncated/],
    'that ends within the file': [TYPE, build(METADATA, FILE, bytes), /is truncated/],
    'with one part': [TYPE, build(METADATA, '\r\n--xyz--'), /is truncated/],
    'with three parts': [TYPE, build(METADATA, FILE, bytes, FILE, bytes, '\r\n--xyz--'), /two parts/],
    'whose metadata is not JSON': [TYPE, build('--xyz\r\n\r\nx', FILE, bytes, '\r\n--xyz--'), /valid JSON/],
  };
  for (const [title, [type, body, message]] of Object.entries(REFUSED))
    test(`is rejected ${title}`, () => refuses(() => readRelatedParts(type, body), message));
});
