import { dataUri, PNG, SVG } from '../../support/images.ts';

/** Values that a field of some kind does not take. */
export const NOT_TEXT = [null, true, 0, 1.5, [], ['x'], {}, { a: 1 }] as const;
export const NOT_OBJECT = [true, 0, 'x', '', [], ['x'], '{}'] as const;

/** Text that is none: a half of a character. */
export const HALF = 'a\ud800';

export const NOT_WHOLE_NUMBER = [
  true,
  [],
  [8],
  {},
  '',
  ' ',
  'x',
  '8.0',
  ' 8',
  '8 ',
  '-8',
  '+8',
  '1e1',
  '0x8',
  '08',
  '８',
  -1,
  1.5,
  1e21,
  '8'.repeat(400),
] as const;

export const NOT_CHOICE = [
  true,
  1,
  [],
  ['x'],
  {},
  '',
  ' ',
  'x',
  'constructor',
  '__proto__',
  'toString',
  '720P ',
  'x'.repeat(5000),
  '\0',
  HALF,
] as const;

const CUT_OFF = dataUri(PNG.subarray(0, -12), 'image/png');

export const NOT_IMAGE_TEXT = [
  '',
  'x',
  'data:',
  'data:,',
  'data:image/png,AAAA',
  'data:image/png;base64,',
  'data:image/png;base64,A',
  'data:image/png;base64,AAAA',
  'data:image/png;base64,!!!!',
  `data:image/png${';a=b'.repeat(100)};base64,AAAA`,
  dataUri(SVG, 'image/svg+xml'),
  dataUri(SVG, 'image/png'),
  CUT_OFF,
  'https://example.com/fox.png',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  's3://bucket/key',
  'blob:x',
  '../../etc/passwd',
  HALF,
] as const;

export const NOT_IMAGE = [
  ...NOT_IMAGE_TEXT,
  true,
  0,
  {},
  { a: 1 },
  [[]],
  { image_url: null },
  { image_url: 1 },
  { image_url: {} },
  { image_url: { url: null } },
  { image_url: { url: { image_url: { url: 'x' } } } },
  { image_url: [CUT_OFF] },
  { file_id: 'file-1' },
  { bytesBase64Encoded: 'AAAA' },
  { bytesBase64Encoded: '', mimeType: 'image/png' },
  { bytesBase64Encoded: '!!!!', mimeType: 'image/png' },
  { bytesBase64Encoded: 1, mimeType: 'image/png' },
  { bytesBase64Encoded: PNG.toString('base64'), mimeType: 1 },
] as const;
