import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type GenerateContentResponse, GoogleGenAI, Modality } from '@google/genai';
import { describePicture, expectedPicture, IMAGE_MODEL } from '../support/images/pictures.ts';
import { JPEG, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const picturesOf = ({ candidates = [] }: GenerateContentResponse): string[] =>
  candidates
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap(({ inlineData }) => (inlineData === undefined ? [] : [describePicture(inlineData.data)]));

const service = await openSharedService();

describe('@google/genai', () => {
  const models = () => {
    const headers = { 'x-vendor-api-key': service.apiKey };
    return new GoogleGenAI({
      apiKey: 'of another service',
      httpOptions: { baseUrl: service.baseUrl, headers },
    }).models;
  };
  const photo = (bytes: Buffer, mimeType: string) => ({
    inlineData: { mimeType, data: bytes.toString('base64') },
  });
  const CONTENTS = [
    ['a text', 'A fox in the snow'],
    ['an image and a text', [photo(PNG, 'image/png'), { text: 'Make it blue' }]],
    ['two images', [photo(PNG, 'image/png'), photo(JPEG, 'image/jpeg')]],
  ] as const;

  for (const [title, contents] of CONTENTS) {
    const request = () => ({
      model: IMAGE_MODEL,
      contents: typeof contents === 'string' ? contents : [...contents],
      config: {
        responseModalities: [Modality.IMAGE],
        imageConfig: { aspectRatio: '9:16', imageSize: '512' },
        systemInstruction: 'In ink.',
        temperature: 0.5,
      },
    });

    test(`generates from ${title}`, async () => {
      const response = await models().generateContent(request());
      assert.deepEqual(picturesOf(response), [expectedPicture('9:16', '512')]);
      assert.equal(response.modelVersion, IMAGE_MODEL);
      assert.equal(response.candidates?.[0]?.finishReason, 'STOP');
      assert.ok((response.usageMetadata?.totalTokenCount ?? 0) > 0);
    });

    test(`generates from ${title} as a stream`, async () => {
      const pictures: string[] = [];
      for await (const chunk of await models().generateContentStream(request()))
        pictures.push(...picturesOf(chunk));
      assert.deepEqual(pictures, [expectedPicture('9:16', '512')]);
    });
  }

  test('gets the sizes that it asks for', async () => {
    for (const imageSize of ['1K', '2K'] as const) {
      const config = { imageConfig: { aspectRatio: '21:9', imageSize } };
      const response = await models().generateContent({ model: IMAGE_MODEL, contents: 'A fox', config });
      assert.deepEqual(picturesOf(response), [expectedPicture('21:9', imageSize)]);
    }
  });

  test('raises refusals', async () => {
    const config = { imageConfig: { aspectRatio: '16:10' } };
    const call = models().generateContent({ model: IMAGE_MODEL, contents: 'A fox', config });
    await assert.rejects(call, { status: 400, message: /"status":"INVALID_ARGUMENT"/ });
  });
});
