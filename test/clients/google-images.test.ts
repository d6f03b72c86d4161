import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type GenerateContentResponse, GoogleGenAI, Modality } from '@google/genai';
import { describePicture, expectedPicture, IMAGE_MODEL } from '../support/images/pictures.ts';
import { JPEG, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const readPictures = ({ candidates = [] }: GenerateContentResponse): string[] =>
  candidates
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap(({ inlineData }) => (inlineData === undefined ? [] : [describePicture(inlineData.data)]));

const service = await openSharedService();

describe('@google/genai', () => {
  const client = () => new GoogleGenAI({ apiKey: service.apiKey, httpOptions: { baseUrl: service.baseUrl } });
  const models = () => client().models;
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

    test(`generates an image from ${title}`, async () => {
      const response = await models().generateContent(request());
      assert.deepEqual(readPictures(response), [expectedPicture('9:16', '512')]);
      assert.equal(response.modelVersion, IMAGE_MODEL);
      assert.equal(response.candidates?.[0]?.finishReason, 'STOP');
      assert.ok((response.usageMetadata?.totalTokenCount ?? 0) > 0);
    });

    test(`streams an image from ${title}`, async () => {
      const pictures: string[] = [];
      for await (const chunk of await models().generateContentStream(request()))
        pictures.push(...readPictures(chunk));
      assert.deepEqual(pictures, [expectedPicture('9:16', '512')]);
    });
  }

  test('receives the requested sizes', async () => {
    for (const imageSize of ['1K', '2K'] as const) {
      const config = { imageConfig: { aspectRatio: '21:9', imageSize } };
      const response = await models().generateContent({ model: IMAGE_MODEL, contents: 'A fox', config });
      assert.deepEqual(readPictures(response), [expectedPicture('21:9', imageSize)]);
    }
  });

  test('edits the previous image of a chat', async () => {
    const config = { imageConfig: { imageSize: '512' } };
    const chat = client().chats.create({ model: IMAGE_MODEL, config });
    for (const message of ['A fox in the snow', 'Make it night']) {
      const response = await chat.sendMessage({ message });
      assert.deepEqual(readPictures(response), [expectedPicture('1:1', '512')]);
    }
    const [, drawn, , redrawn] = chat.getHistory();
    assert.deepEqual([drawn?.role, redrawn?.role], ['model', 'model']);
    assert.ok(drawn?.parts?.some(({ inlineData }) => inlineData !== undefined));
  });

  test('lists the models on one page or several', async () => {
    for (const config of [{}, { pageSize: 1 }, { pageSize: 2 }, { pageSize: 50 }]) {
      const names: (string | undefined)[] = [];
      for await (const { name } of await models().list({ config })) names.push(name);
      assert.deepEqual(names, [
        'models/video-3.1-generate-preview',
        'models/video-3.1-fast-generate-preview',
        `models/${IMAGE_MODEL}`,
      ]);
    }
  });

  test('describes a model', async () => {
    const { name, displayName, supportedActions } = await models().get({ model: IMAGE_MODEL });
    assert.deepEqual(
      [name, displayName, supportedActions],
      [`models/${IMAGE_MODEL}`, 'Image 3.1 Flash', ['generateContent', 'streamGenerateContent']],
    );
    await assert.rejects(models().get({ model: 'none' }), {
      status: 404,
      message: /video-3\.1-generate-preview/,
    });
  });

  test('throws an error with the reason', async () => {
    const config = { imageConfig: { aspectRatio: '16:10' } };
    const call = models().generateContent({ model: IMAGE_MODEL, contents: 'A fox', config });
    await assert.rejects(call, { status: 400, message: /"status":"INVALID_ARGUMENT"/ });
  });
});
