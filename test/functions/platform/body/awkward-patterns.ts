/** Enough for quadratic work to take half a minute. */
export const PATTERN_BYTES = 2 ** 18;

const filled = (unit: string, start = '', end = ''): string =>
  `${start}${unit.repeat(Math.ceil(PATTERN_BYTES / Buffer.byteLength(unit)))}${end}`;

const nested = (opening: string, closing: string): string => {
  const depth = Math.ceil(PATTERN_BYTES / (opening.length + closing.length));
  return `${opening.repeat(depth)}1${closing.repeat(depth)}`;
};

/** A megabyte each of what makes careless readers slow: near misses, openings without an end, odd characters. */
export const AWKWARD_PATTERNS: Readonly<Record<string, string>> = {
  'opened markdown images': filled('!['),
  'markdown images without an address': filled('![]('),
  'markdown images without an end': filled('![](data:image/'),
  'closed labels': filled(']('),
  'a label without an end': filled('a', '![', ']'),
  'small markdown images': filled('![](data:image/png;base64,AAAA)'),
  'opened test prompts': filled('[sample:'),
  'known test prompts': filled('delay 1s,', '[sample:', 'delay 1s]'),
  'short test prompts': filled('hang,', '[sample:', 'hang]'),
  'many pairs of brackets with a test prompt': filled('[sample: delay 1s]'),
  'unknown test prompts': filled('x;', '[sample:', ']'),
  'a test prompt of digits': filled('1', '[sample: delay ', 's]'),
  'a test prompt of spaces': filled(' ', '[sample:', ']'),
  'opening brackets': filled('['),
  'closing brackets': filled(']'),
  'nested brackets': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
  'nested arrays in an object': `{"prompt":${nested('[', ']')}}`,
  braces: filled('{}'),
  spaces: filled(' ', 'a', 'a'),
  'trailing spaces': filled(' ', 'a'),
  newlines: filled('\n', 'a', 'a'),
  'carriage returns and tabs': filled('\r\t', 'a', 'a'),
  quotes: filled('"'),
  backslashes: filled('\\'),
  'escaped quotes': filled('\\"'),
  'control characters': filled('\u0001'),
  'zero bytes': filled('\0'),
  surrogates: filled('\ud83d\ude00'),
  'lone surrogates': filled('\ud83d'),
  'combining marks': filled('\u0301', 'e'),
  'joined emoji': filled('\u{1f468}\u200d\u{1f469}\u200d'),
  'capitals that grow in lower case': filled('İ'),
  'small letters that grow in upper case': filled('ß'),
  'data addresses': filled('data:'),
  'a data address of parameters': filled(';a', 'data:image/png', ',AAAA'),
  'Base64 that ends badly': filled('A', 'data:image/png;base64,', '!'),
  'Base64 of padding': filled('=', 'data:image/png;base64,'),
  'scheme letters': filled('a', '', ':/'),
  semicolons: filled(';'),
  commas: filled(','),
  'percent signs': filled('%'),
  'encoded colons': filled('%3a', '', '\n:'),
  colons: filled(':', '', '\n'),
  'model names': filled('image', '', '!'),
  digits: filled('1'),
  'fractions of digits': filled('1.'),
  'content type parameters': filled('; boundary=', 'multipart/form-data'),
  'dots and dashes': filled('.-'),
};
