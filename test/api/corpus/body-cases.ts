import { MODEL } from '../../support/http.ts';
import { CHAT, chatBody, NATIVE, nativeBody } from '../../support/images/requests.ts';
import { type Case, JSON_TYPE } from './case.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));
const CREATE = '/v1/videos';

const ENDPOINTS = [
  { family: 'openAi', path: CREATE, valid: { model: MODEL, prompt: 'a fox' } },
  { family: 'openAi', path: CHAT, valid: chatBody('a fox') },
  { family: 'native', path: NATIVE, valid: nativeBody('a fox') },
] as const;

/** Invalid bodies, made from a valid one. */
const BROKEN: Readonly<Record<string, (valid: string) => string | Uint8Array<ArrayBuffer>>> = {
  nothing: () => '',
  'white space': () => ' \r\n\t ',
  'a text that is not JSON': () => 'hello',
  'half of a request': (valid) => valid.slice(0, valid.length / 2),
  'a request without its end': (valid) => valid.slice(0, -1),
  'two requests': (valid) => valid + valid,
  'a request and a comma': (valid) => `${valid},`,
  'a byte order mark first': (valid) => `\ufeff${valid}`,
  'bytes that are not UTF-8': (valid) => bytes(valid.replace('a fox', 'a \xff\xfe')),
  'a zero byte': (valid) => `${valid}\0`,
  'control characters in a string': (valid) => valid.replace('a fox', 'a \n fox'),
  'a comment': (valid) => `/* x */${valid}`,
  'single quotes': (valid) => valid.replaceAll('"', "'"),
  'a list': (valid) => `[${valid}]`,
  'an empty list': () => '[]',
  'an empty object': () => '{}',
  null: () => 'null',
  true: () => 'true',
  'a number': () => '8',
  NaN: () => 'NaN',
  'a string': (valid) => JSON.stringify(valid),
  'a form': () => 'model=x&prompt=y',
  XML: () => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
  '200,000 brackets': () => '['.repeat(200_000),
  '100,000 levels': (valid) => `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},${valid.slice(1)}`,
  'addresses within addresses': (valid) =>
    `{"input_reference":${'{"image_url":{"url":'.repeat(20_000)}1${'}}'.repeat(20_000)},${valid.slice(1)}`,
  'fields of a prototype alone': (valid) => `{"__proto__":${valid},"constructor":${valid}}`,
};

const TYPES = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonx'];
const ODD_TYPES = ['json', '', '/', ';', 'application/json,text/plain', `a/${'b'.repeat(4000)}`];

const bodyCases = (): Case[] =>
  ENDPOINTS.flatMap(({ family, path, valid }) => {
    const body = JSON.stringify(valid);
    const base = { family, method: 'POST', path } as const;
    return [
      ...Object.entries(BROKEN).map(([title, change]) => ({
        ...base,
        title: `POST ${path} with ${title}`,
        headers: JSON_TYPE,
        body: change(body),
        statuses: [400],
      })),
      ...[...TYPES, ...ODD_TYPES].map((type) => ({
        ...base,
        title: `POST ${path} as ${type.slice(0, 40)}`,
        headers: { 'content-type': type },
        body,
        statuses: [415],
      })),
    ];
  });

const FORM = 'multipart/form-data; boundary=b';
const part = (head: string, value: string): string => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const named = (name: string, value: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, value);
const REQUEST = `${named('model', MODEL)}${named('prompt', 'a fox')}`;
const whole = (...parts: readonly string[]): string => `${REQUEST}${parts.join('')}--b--\r\n`;
const image = (head: string, value: string): string =>
  whole(part(`Content-Disposition: form-data; name="input_reference"; filename="a.png"${head}`, value));

/** Forms that are none, or hold what a form cannot hold. */
const FORMS: Readonly<Record<string, string>> = {
  nothing: '',
  'no parts': '--b--\r\n',
  'no end': REQUEST,
  'another boundary': whole().replaceAll('--b', '--c'),
  'line feeds alone': whole().replaceAll('\r\n', '\n'),
  'no head': `--b\r\n\r\nx\r\n${whole()}`,
  'a head without an end': `${REQUEST}--b\r\nContent-Disposition: form-data; name="seed"`,
  'a part without a name': whole(part('Content-Disposition: form-data', 'x')),
  'a part with an empty name': whole(named('', 'x')),
  'a file without a name': whole(part('Content-Disposition: form-data; filename="a.png"', 'x')),
  'a part of another disposition': `${part('Content-Disposition: attachment; name="model"', MODEL)}--b--\r\n`,
  'a head of 100 KB': whole(part(`Content-Disposition: form-data; name="${'x'.repeat(100_000)}"`, 'x')),
  'a name of 1000 characters': whole(named('x'.repeat(1000), 'x')),
  'a name nested deeply': whole(named(`a${'[b]'.repeat(50)}`, 'x')),
  'two models': whole(named('model', MODEL)),
  'two prompts': whole(named('prompt', 'b')),
  'a prompt in a list': whole(named('prompt[]', 'b')),
  'a prompt with fields': whole(named('prompt[a]', 'b')),
  'a bad number': whole(named('seconds', '8.0')),
  'an empty number': whole(named('seed', '')),
  'an empty size': whole(named('size', '')),
  'metadata that is not JSON': whole(named('metadata', '{')),
  'metadata that is a list': whole(named('metadata', '[]')),
  'metadata of many levels': whole(named('metadata', '{"a":'.repeat(100_000))),
  'metadata twice, once badly': whole(named('metadata', '{}'), named('metadata', 'x')),
  'a bad field of metadata': whole(named('metadata[resolution]', '480p')),
  'a prototype as metadata': whole(named('metadata[__proto__][x]', '1'), named('seconds', 'x')),
  'text for an image': whole(named('input_reference', 'x')),
  'an address for an image': whole(named('input_reference', 'https://example.com/fox.png')),
  'an empty image': image('\r\nContent-Type: image/png', ''),
  'an image that is none': image('\r\nContent-Type: image/png', 'hello'),
  'an image of a type that is none': image('\r\nContent-Type: x', 'hello'),
  'an image of a charset that is none': image('\r\nContent-Type: text/plain; charset=nonsense', 'hello'),
  'an image encoded twice': image('\r\nContent-Transfer-Encoding: base64', 'AAAA'),
  '101 more fields': whole(...Array.from({ length: 101 }, (_, index) => named(`x${index}`, 'x'))),
  'zero bytes in a name': `${named('mod\0el', MODEL)}${named('prompt', 'x')}--b--\r\n`,
};

export const BODY_CASES: readonly Case[] = [
  ...bodyCases(),
  ...Object.entries(FORMS).map(([title, body]) => ({
    title: `POST ${CREATE} as a form with ${title}`,
    family: 'openAi' as const,
    method: 'POST',
    path: CREATE,
    headers: { 'content-type': FORM },
    body,
    statuses: [400],
  })),
  ...['', '; boundary=', '; boundary', ';;;', '; boundary="b'].map((rest) => ({
    title: `POST ${CREATE} as multipart/form-data${rest}`,
    family: 'openAi' as const,
    method: 'POST',
    path: CREATE,
    headers: { 'content-type': `multipart/form-data${rest}` },
    body: whole(),
    statuses: [400],
  })),
];
