import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { readNativeRequest } from '../../../../functions/images/api/native-image.ts';
import { imageKind, JPEG, PNG, SVG } from '../../../support/images.ts';

const text = [{ parts: [{ text: 'A fox' }] }];
const read = (body: Readonly<Record<string, unknown>>, model = IMAGE_MODEL) =>
  readNativeRequest(model, body).data;
const inline = (bytes: Buffer, mimeType: string) => ({ mimeType, data: bytes.toString('base64') });
const withPart = (part: unknown) => ({ contents: [{ parts: [{ text: 'A fox' }, part] }] });
const withConfig = (generationConfig: unknown) => ({ contents: text, generationConfig });

describe('a native image request', () => {
  test('keeps text and images in their order', () => {
    const draft = { text: 'hm', thought: true };
    const { turns } = read({
      contents: [
        { role: 'user', parts: [{ inlineData: inline(PNG, 'image/png') }, { text: 'Make it blue' }] },
        { role: 'model', parts: [{ text: 'Done.', thoughtSignature: 'c2ln' }, draft] },
        { role: 'model', parts: [draft] },
        {
          parts: [
            { inline_data: { mime_type: 'image/jpeg', data: JPEG.toString('base64url') } },
            { fileData: { fileUri: 'file_1' }, thoughtSignature: 'ZmlsZQ' },
          ],
        },
      ],
    });
    assert.deepEqual(
      turns.flatMap(({ role, parts }) =>
        parts.map(({ content, signature = '' }) =>
          [role, content.kind === 'text' ? content.text : imageKind(content.image), signature].join(' '),
        ),
      ),
      [
        ...['user image/png ', 'user Make it blue ', 'model Done. c2ln'],
        ...['user image/jpeg ', 'user file_1 ZmlsZQ'],
      ],
    );
  });

  test('passes on its options', () => {
    const SETTING = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' };
    const sampling = { temperature: 0, topP: 0.5, seed: 0 };
    const generationConfig = { ...sampling, responseModalities: ['Image'], imageConfig: { imageSize: '2k' } };
    const systemInstruction = { parts: [{ text: 'In ink.' }, { text: 'At night.' }] };
    const safety_settings = [{ ...SETTING, method: 'SEVERITY' }];
    assert.deepEqual(read({ contents: text, systemInstruction, safety_settings, generationConfig }), {
      model: IMAGE_MODEL,
      turns: [{ role: 'user', parts: [{ content: { kind: 'text', text: 'A fox' }, signature: undefined }] }],
      systemInstruction: 'In ink.\n\nAt night.',
      safetySettings: [SETTING],
      config: { aspectRatio: undefined, imageSize: '2K' },
      modalities: ['IMAGE'],
      sampling,
    });
    assert.deepEqual(read({ contents: text }).modalities, ['TEXT', 'IMAGE']);
  });

  const REFUSED = [
    ['contents', {}],
    ['contents', { contents: [] }],
    ['contents', { contents: [{ parts: [{ text: '  ' }] }] }],
    ['contents', { contents: [{ role: 'model', parts: [{ text: 'A fox' }] }] }],
    ['cachedContent', { contents: text, cachedContent: 'cachedContents/1' }],
    ['contents[0].parts', { contents: [{}] }],
    ['contents[0]', { contents: ['A fox'] }],
    ['contents[0].role', { contents: [{ role: 'system', parts: [{ text: 'A fox' }] }] }],
    ['contents[0].parts[1]', withPart({ functionCall: {} })],
    ['contents[0].parts[1].fileData.fileUri', withPart({ fileData: { fileUri: 'gs://bucket/fox.png' } })],
    ['contents[0].parts[1].file_data.file_uri', withPart({ file_data: { file_uri: 'gs://bucket/fox.png' } })],
    ['contents[0].parts[1].fileData.fileUri', withPart({ fileData: {} })],
    ['contents[0].parts[1]', withPart({ fileData: { fileUri: 'file_1' }, text: 'A fox' })],
    ['contents[0].parts[1]', withPart({ fileData: { fileUri: 'file_1' }, inlineData: {} })],
    ['contents[0].parts[1].text', withPart({ text: 7 })],
    ['contents[0].parts[1].inlineData.mimeType', withPart({ inlineData: { data: 'AAAA', mimeType: 3 } })],
    ['contents[0].parts[1].inlineData', withPart({ inlineData: { data: 'AAAA' } })],
    ['contents[0].parts[1].inlineData', withPart({ inlineData: inline(SVG, 'image/png') })],
    ['contents[0].parts[1].inlineData.data', withPart({ inlineData: { mimeType: 'image/png', data: '%' } })],
    ['systemInstruction', { contents: text, systemInstruction: 'In ink.' }],
    [
      'systemInstruction.parts[0].inlineData',
      { contents: text, systemInstruction: { parts: [{ inlineData: {} }] } },
    ],
    ['systemInstruction.parts[0].text', { contents: text, systemInstruction: { parts: [{}] } }],
    ['safetySettings', { contents: text, safetySettings: {} }],
    ['safetySettings[0].threshold', { contents: text, safetySettings: [{ category: 'x' }] }],
    ['generationConfig', withConfig([])],
    ['generationConfig.responseModalities', withConfig({ responseModalities: ['TEXT'] })],
    ['generationConfig.responseModalities', withConfig({ responseModalities: ['IMAGE', 'AUDIO'] })],
    ['generationConfig.responseModalities', withConfig({ responseModalities: Array(11).fill('IMAGE') })],
    ['generationConfig.candidateCount', withConfig({ candidateCount: 2 })],
    ['generationConfig.temperature', withConfig({ temperature: '1' })],
  ] as const;
  for (const [param, body] of REFUSED)
    test(`is rejected at ${param}: ${JSON.stringify(body).slice(0, 100)}`, () => {
      assert.throws(() => read(body), { name: 'DomainError', param });
    });

  test('is rejected for another model, and with a remote image or none', () => {
    for (const [model, message] of [
      ['video-3.1-generate-preview', /an alias of one; .* makes videos, with predictLongRunning\.$/],
      ['gpt-4', /GET \/v1\/models lists them\.$/],
    ] as const)
      assert.throws(() => readNativeRequest(model, {}), { code: 'model_not_found', param: 'model', message });
    const remote = withPart({ fileData: { fileUri: 'gs://bucket/fox.png' } });
    assert.throws(() => read(remote), { code: 'remote_image_not_supported' });
    assert.throws(() => read(withPart({ inlineData: {} })), { message: /inlineData\.data is required\.$/ });
  });
});
