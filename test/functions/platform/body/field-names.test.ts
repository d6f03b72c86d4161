import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod/mini';
import type { FieldRules } from '../../../../functions/platform/body/field-names.ts';
import { type BodyFields, FilePart } from '../../../../functions/platform/body/fields.ts';
import { parseNoting } from '../../../../functions/platform/body/parse.ts';
import {
  anything,
  fields,
  forbidden,
  ignored,
  lenientFields,
  openFields,
  text,
} from '../../../../functions/platform/body/schema.ts';
import { closestName, shownName } from '../../../../functions/platform/body/unknown-fields.ts';

const SHAPE = {
  prompt: z.optional(text()),
  aspectRatio: z.optional(text()),
  first_frame: z.optional(text()),
  user: ignored(anything('u')),
  video: forbidden(() => {
    throw new Error('not sent');
  }, 'Refused.'),
};
const RULES: FieldRules = { spellings: { first_frame: ['start_image'] } };

const read = (body: BodyFields, rules = RULES) => parseNoting(fields(SHAPE, rules), body, rules.spellings);
const refused = (
  body: BodyFields,
  param: string,
  message: RegExp,
  rules = RULES,
  code = 'unknown_parameter',
) => assert.throws(() => read(body, rules), { name: 'DomainError', code, param, message });

describe('a field', () => {
  for (const name of ['first_frame', 'firstFrame', 'start_image', 'startImage'])
    test(`is read as ${name}`, () => assert.equal(read({ [name]: 'x' }).data.first_frame, 'x'));

  test('may be sent under two names with the same value', () => {
    assert.equal(read({ startImage: 'x', first_frame: 'x' }).data.first_frame, 'x');
    const differ = /^startImage and firstFrame differ: send one of them\.$/;
    for (const body of [
      { startImage: 'x', firstFrame: 'y' },
      { firstFrame: 'y', startImage: 'x' },
    ])
      refused(body, 'startImage', differ, RULES, 'invalid_request');
  });

  test('is named as the client wrote it', () => {
    refused({ startImage: 1 }, 'startImage', /must be a string/, RULES, 'invalid_request');
  });

  test('is converted if its name asks for it', () => {
    const rules = { ...RULES, conversions: { start_image: (value: unknown) => `converted ${value}` } };
    assert.equal(read({ start_image: 'x' }, rules).data.first_frame, 'converted x');
    assert.equal(read({ first_frame: 'x' }, rules).data.first_frame, 'x');
  });

  test('that is null is absent only from lenient objects', () => {
    assert.equal(parseNoting(lenientFields(SHAPE), { prompt: null, unheard: null }).data.prompt, undefined);
    refused({ prompt: null }, 'prompt', /must be a string/, RULES, 'invalid_request');
    refused({ unheard: null }, 'unheard', /not an accepted field/);
  });
});

describe('an unknown field', () => {
  test('is refused with the closest name, or all names but those without an effect', () => {
    refused({ promt: 'x' }, 'promt', /^promt is not an accepted field\. Did you mean prompt\?$/);
    refused({ zoom: 2 }, 'zoom', /Accepted here: prompt, aspectRatio, first_frame\.$/);
  });

  test('is refused with advice, in both spellings', () => {
    const rules: FieldRules = { advice: [[['image_urls', 'pictures'], 'send first_frame.']] };
    for (const name of ['image_urls', 'imageUrls', 'pictures'])
      refused({ [name]: [] }, name, /^\w+ is not an accepted field: send first_frame\.$/, rules);
  });

  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    test(`may be called ${name}`, () => refused(JSON.parse(`{"${name}":1}`), name, /not an accepted field/));

  test('of an open object is ignored', () => {
    assert.deepEqual(parseNoting(openFields(SHAPE), { prompt: 'x', unheard: {} }).data, { prompt: 'x' });
  });

  test('is refused in time if there are a hundred thousand, or if it is a megabyte long', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, position) => [`note${position}`, 1]));
    // CPU time, since other tests run at the same time.
    const started = process.cpuUsage();
    assert.throws(() => read(many), { code: 'unknown_parameter' });
    assert.throws(() => read(many, { unknown: 'notes' }), {
      code: 'invalid_request',
      message: /more than 64/,
    });
    const name = 'x'.repeat(1_000_000);
    refused({ [name]: 1 }, `${'x'.repeat(64)}…`, /not an accepted field/);
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 2_000_000);
  });
});

describe('a note of the client', () => {
  const NOTES: FieldRules = { ...RULES, unknown: 'notes', advice: [[['image_urls'], 'send first_frame.']] };

  test('is a short plain value under a name that nothing else has', () => {
    const plain = { campaign: 'spring', promt: 3, live: true, none: null, long: 'A'.repeat(512) };
    const links = { link: 'https://example.com/a.png', type: 'no data:', job: 'a file_a', start: 'file_-' };
    const { data, ignored: names } = read({ ...plain, ...links, prompt: 'x' }, NOTES);
    assert.equal(data.prompt, 'x');
    assert.deepEqual(names, [...Object.keys(plain), ...Object.keys(links)]);
    const most = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`n${at}`, 1]));
    assert.equal(read(most, NOTES).ignored.length, 64);
  });

  const HOLDERS: readonly (readonly [string, unknown])[] = [
    ['a data URI', 'data:image/png;base64,AAAA'],
    ['the id of a file', 'file_abc'],
    ['the name of a file', 'files/file_abc'],
    ['an object', { url: 'x' }],
    ['a list', ['x']],
    ['a file', new FilePart(new Uint8Array(1))],
    ['a long text', 'A'.repeat(513)],
  ];
  for (const [title, value] of HOLDERS)
    test(`is not ${title}`, () => refused({ note: value }, 'note', /not an accepted field/, NOTES));

  test('is not an option, or almost one', () => {
    refused({ aspect_ratios: '16:9' }, 'aspect_ratios', /Did you mean aspectRatio/, NOTES);
    refused({ prompd: 'x' }, 'prompd', /Did you mean prompt/, NOTES);
    refused({ image_urls: 'x' }, 'image_urls', /send first_frame/, NOTES);
  });
});

test('a field without an effect is collected', () => {
  const body = { user: 'u', prompt: 'x' };
  assert.deepEqual(read(body).ignored, ['user']);
});

describe('the closest name', () => {
  const ACCEPTED = ['model', 'prompt', 'seconds', 'aspectRatio', 'negativePrompt', 'input_reference', 'n'];
  for (const [name, closest] of [
    ['promt', 'prompt'],
    ['Prompt', 'prompt'],
    ['second', 'seconds'],
    ['aspect-ratio', 'aspectRatio'],
    ['ASPECT_RATIO', 'aspectRatio'],
    ['negative_promts', 'negativePrompt'],
    ['input_refrence', 'input_reference'],
    ['x', undefined],
    ['', undefined],
    ['callback', undefined],
    ['constructor', undefined],
    [`prompt${'t'.repeat(40)}`, undefined],
  ] as const)
    test(`to ${name} is ${closest}`, () => assert.equal(closestName(name, ACCEPTED), closest));

  test('is the first of several that are equally close', () => {
    assert.equal(closestName('imagex', ['images', 'image1']), 'images');
    assert.equal(closestName('image12', ['images', 'image1']), 'image1');
  });
});

test('the message about an unknown field shows a short name, on one line', () => {
  assert.equal(shownName('image_urls'), 'image_urls');
  assert.equal(shownName('a\nb\u2028c'), 'a b c');
  assert.equal(shownName('x'.repeat(64)), 'x'.repeat(64));
  assert.equal(shownName('x'.repeat(1_000_000)), `${'x'.repeat(64)}…`);
  assert.ok(shownName(`${'x'.repeat(63)}😀😀`).isWellFormed());
});
