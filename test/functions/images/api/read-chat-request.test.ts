import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { readChatRequest } from '../../../../functions/images/api/read-chat-request.ts';
import { dataUri, imageKind, JPEG, PNG, SVG } from '../../../support/images.ts';

const user = { role: 'user', content: 'A fox' };
const read = (fields: object, messages: unknown = [user]) =>
  readChatRequest({ model: IMAGE_MODEL, messages, ...fields }).data;
const imageUrl = (url: unknown) => ({ type: 'image_url', image_url: { url } });
const userSends = (content: unknown) => [{ role: 'user', content }];
const png = dataUri(PNG, 'image/png');

const outline = (messages: unknown) =>
  read({}, messages).request.turns.map(({ role, parts }) => [
    role,
    ...parts.map(({ content }) => (content.kind === 'text' ? content.text : imageKind(content.image))),
  ]);

describe('a chat request', () => {
  test('has messages that are objects, with parts that are objects', () => {
    for (const messages of [['A fox'], [7], [null]])
      assert.throws(() => read({}, messages), { param: 'messages[0]', message: /must be an object\.$/ });
    assert.throws(() => read({}, userSends(['A fox'])), { message: /must be an object\.$/ });
    assert.throws(() => read({}, [{ role: 'system', content: [{ type: 'audio' }] }, user]), {
      param: 'messages[0].content[0].type',
      message: /must be one of text\.$/,
    });
    const refusal = { param: 'messages[0].content[0].type', message: /must be one of text, image_url\.$/ };
    assert.throws(() => read({}, userSends([{ type: 'audio' }])), refusal);
  });

  test('treats other system messages as instructions', () => {
    const deep = `{"imageConfig":${'['.repeat(1000)}${']'.repeat(1000)}}`;
    const { request } = read({}, [
      { role: 'system', content: 'In ink.' },
      { role: 'developer', content: ['{"style":', '"ink"}'].map((text) => ({ type: 'text', text })) },
      { role: 'system', content: '\n{"aspectRatio":"9:16"}' },
      { role: 'system', content: '{not JSON' },
      { role: 'system', content: deep },
      user,
    ]);
    assert.equal(request.systemInstruction, `In ink.\n\n{"style":\n"ink"}\n\n{not JSON\n\n${deep}`);
    assert.equal(request.config.aspectRatio, '9:16');
  });

  test('finds all images of an earlier answer', () => {
    const content = `Two: ![a](${png}) and ![b](${dataUri(JPEG, 'image/jpeg')})`;
    assert.deepEqual(outline([user, { role: 'assistant', content }, user]), [
      ['user', 'A fox'],
      ['model', 'Two:  and'],
      ['user', 'image/png', 'image/jpeg', 'A fox'],
    ]);
    const many = (count: number) => [{ role: 'assistant', content: `![](${png})`.repeat(count) }];
    assert.equal(outline(many(64))[0]?.length, 1 + 64);
    assert.throws(() => outline(many(65)), { param: 'messages[0].content', message: /holds 65 images/ });
  });

  test("moves images of earlier answers to the user's next turn", () => {
    const jpeg = dataUri(JPEG, 'image/jpeg');
    assert.deepEqual(
      outline([
        user,
        { role: 'assistant', content: `Here it is.\n\n![image](${jpeg})` },
        { role: 'user', content: 'Bluer' },
        { role: 'assistant', content: 'Bluer.', images: [imageUrl(png)] },
        { role: 'assistant', content: null },
        { role: 'user', content: 'Darker' },
      ]),
      [
        ['user', 'A fox'],
        ['model', 'Here it is.'],
        ['user', 'image/jpeg', 'Bluer'],
        ['model', 'Bluer.'],
        ['user', 'image/png', 'Darker'],
      ],
    );
  });

  const SAFETY = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' };

  test('passes on its options', () => {
    const fields = { max_tokens: 1120, temperature: 0, top_p: 1, seed: 0, safety_settings: [SAFETY] };
    assert.deepEqual(read({ ...fields, stream: true, stream_options: { include_usage: true } }), {
      request: {
        model: IMAGE_MODEL,
        turns: [{ role: 'user', parts: [{ content: { kind: 'text', text: 'A fox' } }] }],
        systemInstruction: undefined,
        safetySettings: [SAFETY],
        config: { aspectRatio: undefined, imageSize: undefined },
        modalities: ['TEXT', 'IMAGE'],
        sampling: { temperature: 0, topP: 1, seed: 0 },
      },
      imagePlace: 'markdown',
      stream: true,
      includeUsage: true,
    });
  });

  test('treats null as absent', () => {
    const names = ['n', 'temperature', 'max_tokens', 'stream', 'stream_options', 'modalities'];
    const chat = read(Object.fromEntries(names.map((name) => [name, null])));
    assert.deepEqual(chat, read({}));
    assert.deepEqual([chat.stream, chat.includeUsage], [false, false]);
  });

  for (const [modalities, imagePlace, asked] of [
    [undefined, 'markdown', ['TEXT', 'IMAGE']],
    [['image', 'text'], 'list', ['TEXT', 'IMAGE']],
    [['image'], 'list', ['IMAGE']],
    [['image', ...Array(9).fill('text')], 'list', ['TEXT', 'IMAGE']],
  ] as const)
    test(`with the modalities ${JSON.stringify(modalities)} gets the image as ${imagePlace}`, () => {
      const chat = read({ modalities });
      assert.deepEqual([chat.imagePlace, chat.request.modalities], [imagePlace, asked]);
    });

  const REFUSED: readonly (readonly [param: string, fields: object, messages?: unknown])[] = [
    ['model', { model: undefined }],
    ['messages', {}, []],
    ['messages', {}, 'A fox'],
    ['messages', {}, [{ role: 'system', content: 'In ink.' }]],
    ['messages', {}, userSends('  ')],
    ['messages[0].role', {}, [{ content: 'A fox' }]],
    ['messages[0].content', {}, [{ role: 'user' }]],
    ['messages[0].content[0].text', {}, userSends([{ type: 'text' }])],
    ['messages[0].content[0].image_url.url', {}, userSends([imageUrl('http://example.com/fox.png')])],
    ['messages[0].content[0].image_url.url', {}, userSends([imageUrl(dataUri(SVG, 'image/svg+xml'))])],
    ['messages[0].content[0].image_url.url', {}, userSends([imageUrl(dataUri(SVG, 'image/png'))])],
    ['messages[0].content[0].image_url', {}, userSends([{ type: 'image_url' }])],
    ['messages[0].content', {}, [{ role: 'system', content: [imageUrl(png)] }, user]],
    ['messages[0].images', {}, [{ role: 'assistant', content: '', images: {} }, user]],
    ['n', { n: 2 }],
    ['stream', { stream: 'true' }],
    ['modalities', { modalities: ['audio'] }],
    ['modalities', { modalities: Array(11).fill('image') }],
    ['extra_body', { extra_body: [] }],
    ['imageConfig', { imageConfig: '16:9' }],
  ];
  for (const [param, fields, messages] of REFUSED)
    test(`is rejected at ${param}: ${JSON.stringify(messages ?? fields).slice(0, 80)}`, () => {
      assert.throws(() => read(fields, messages), { name: 'DomainError', param });
    });

  test('is rejected for another role with those that are accepted', () => {
    const refusal = { param: 'messages[0].role', message: /one of system, developer, user, assistant\.$/ };
    assert.throws(() => read({}, [{ role: 'tool', content: 'A fox' }]), refusal);
  });

  test('is rejected for another model', () => {
    assert.throws(() => read({ model: 'gpt-image-2' }), { code: 'model_not_found', param: 'model' });
  });
});
