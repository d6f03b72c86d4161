import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../../../functions/platform/domain/public-host.ts';
import { checkWebhookUrl } from '../../../../functions/webhooks/domain/webhook-url.ts';

const deployed = (text: string) => checkWebhookUrl(text, { allowLoopbackHttp: false });
const local = (text: string) => checkWebhookUrl(text, { allowLoopbackHttp: true });

const ADDRESS = /^must not have a private or reserved address/;
const NAME = /^must have a public host name/;
const HTTPS = /^must begin with https/;
const INVALID = /^must be a valid web address/;
const SPACES = /^must not contain spaces, control characters or backslashes/;

/** Hosts that lead, or could lead, to private networks; a property below tries the numeric spellings of addresses. */
const INWARD_HOSTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [ADDRESS, '127.0.0.1 127.0.0.1. 00000000177.0.0.1 0x 4294967295 169.254.169.254 0xa9fea9fe'.split(' ')],
  [ADDRESS, '１２７.0.0.1 127。0。0。1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1 127%2e0%2e0%2e1 1\u00ad27.0.0.1'.split(' ')],
  [ADDRESS, '[::] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::ffff:127.0.0.1] [64:ff9b::169.254.169.254]'.split(' ')],
  [ADDRESS, '[2002:a9fe:a9fe::1] [2001:0:a9fe:a9fe::1] [fd00:ec2::254] [fe80::1] [ff02::1]'.split(' ')],
  [NAME, 'localhost LOCALHOST localhost. loc%61lhost ｌocalhost lo\u00adcalhost a.localhost'.split(' ')],
  [NAME, 'metadata metadata.google.internal printer.local nas.home.arpa internal com'.split(' ')],
  [NAME, "hooks.example.com. hooks..example.com .com a'b.example.com *.example.com".split(' ')],
  [NAME, [`${'a'.repeat(64)}.com`, `${'a.'.repeat(125)}coms`]],
  [INVALID, '[fe80::1%25eth0] [::1 256.0.0.1 1.2.3.4.5 127.0.0.0x100 a%00.com %'.split(' ')],
];

test('a private host is refused in every spelling', () => {
  const cases = INWARD_HOSTS.flatMap(([problem, hosts]) => hosts.map((host) => [host, problem] as const));
  for (const [host, problem] of cases)
    for (const text of [`https://${host}/hook`, `https://${host}:8443/`])
      assert.match(deployed(text).problem ?? '', problem, text);
});

const REFUSED: readonly (readonly [RegExp, readonly string[]])[] = [
  [HTTPS, 'http://a.example.com/ http://localhost:3000/ ftp://a.example.com/ file:///etc/passwd'.split(' ')],
  [HTTPS, 'javascript:alert(1) a.example.com xhttps://a.example.com https:a.example.com'.split(' ')],
  [HTTPS, ['data:https://a.example.com', '//a.example.com', 'https:///a.example.com', '', 'https://']],
  [INVALID, ['https://hooks.example.com:65536/']],
  [/^must not have port 0/, ['https://hooks.example.com:0/', 'https://hooks.example.com:000/']],
  [/^must not have a user name/, ['https://user@hooks.example.com/', 'https://:word@hooks.example.com/']],
  [/^must not have a fragment/, ['https://hooks.example.com/#', 'https://hooks.example.com#@127.0.0.1/']],
  [
    SPACES,
    [
      ...[' https://hooks.example.com/', 'https://hooks.exa\nmple.com/', 'https://hooks.example.com/\u0000'],
      ...['https://hooks.example.com\\@127.0.0.1/', 'https:\\\\hooks.example.com'],
    ],
  ],
  [/^must have at most 2048 characters/, [`https://hooks.example.com/${'a'.repeat(2023)}`]],
];

test('other URLs than plain https URLs are refused with the reason', () => {
  for (const [problem, urls] of REFUSED)
    for (const text of urls) assert.match(deployed(text).problem ?? '', problem, text);
});

const TAKEN = [
  'https://hooks.example.com',
  'https://hooks.example.com/videos?team=a%20b&n=1',
  'HTTPS://Hooks.Example.COM/',
  'https://hooks.example.com:8443/',
  'https://münchen.example/',
  'https://my_team.example.com/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]:444/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
  `https://hooks.example.com/${'a'.repeat(2022)}`,
  `https://${'a.'.repeat(125)}com/`,
];

test('public https URLs are accepted', () => {
  for (const text of TAKEN) assert.equal(deployed(text).url?.href, new URL(text).href, text);
});

test('if loopback is allowed, plain http is accepted for loopback hosts only', () => {
  for (const host of ['127.0.0.1', '127.1', 'localhost', 'hooks.localhost', '[::1]', '2130706433'])
    for (const scheme of ['http', 'https']) assert.ok(local(`${scheme}://${host}:3000/hook`).url, host);
  for (const host of ['hooks.example.com', '8.8.8.8', '10.0.0.1', '[::ffff:10.0.0.1]', '0.0.0.0'])
    assert.match(local(`http://${host}/`).problem ?? '', HTTPS, host);
  for (const host of ['10.0.0.1', '169.254.169.254', '[::]', '[fd00:ec2::254]', '0'])
    assert.match(local(`https://${host}/`).problem ?? '', ADDRESS, host);
  assert.match(local('http://user@localhost/').problem ?? '', /user name/);
});

const byte = fc.integer({ min: 0, max: 255 });
const part = (value: number, form: number): string =>
  [String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`, `000${value.toString(8)}`][form] ?? '';

test('an IPv4 address is classified the same in decimal, octal, hex and short forms', () => {
  const forms = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 });
  const address = fc.array(byte, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(
      address,
      forms,
      fc.integer({ min: 1, max: 4 }),
      (bytes, [a = 0, b = 0, c = 0, d = 0], parts) => {
        const head = bytes.slice(0, parts - 1).map((value, index) => part(value, [a, b, c][index] ?? 0));
        const tail = bytes.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0);
        const host = [...head, part(tail, d)].join('.');
        assert.equal(deployed(`https://${host}/`).url !== undefined, isPublicAddress(bytes.join('.')), host);
      },
    ),
    { numRuns: 3000 },
  );
});

test('every accepted URL has a public address or a name of two labels, and parses to itself', () => {
  const piece = fc.constantFrom(
    ...'127 0 1 . : [ ] @ / \\ % # ? 0x7f localhost a 。 １ \t \u200b xn-- - _ ß ٠ 443'.split(' '),
    ...'%2e %00 :: ffff com 8.8.8.8'.split(' '),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const { url } = deployed(`https://${pieces.join('')}`);
      if (url === undefined) return;
      const host = url.hostname.replace(/^\[|\]$/g, '');
      assert.ok(
        isIP(host) === 0 ? /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) : isPublicAddress(host),
        url.href,
      );
      assert.equal(deployed(url.href).url?.href, url.href);
    }),
    { numRuns: 20_000 },
  );
});
