import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type GenerateContentResponse,
  type GenerateImagesConfig,
  GoogleGenAI,
  Modality,
  PersonGeneration,
  SafetyFilterLevel,
} from '@google/genai';
import { GoogleGenAI as GoogleGenAI2 } from 'google-genai-2';
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

  test('lists the models and their aliases on one page or several', async () => {
    const lists: (string | undefined)[][] = [];
    for (const config of [{}, { pageSize: 7 }, { pageSize: 1000 }]) {
      const names: (string | undefined)[] = [];
      for await (const { name } of await models().list({ config })) names.push(name);
      lists.push(names);
    }
    const [first = []] = lists;
    assert.deepEqual(lists, [first, first, first]);
    assert.deepEqual(first.slice(0, 3), [
      'models/video-3.1-generate-preview',
      'models/video-3.1-fast-generate-preview',
      `models/${IMAGE_MODEL}`,
    ]);
    assert.ok(
      first.includes('models/imagen-4.0-generate-001') && first.includes('models/veo-3.1-generate-001'),
    );
  });

  test('describes a model and an alias', async () => {
    for (const [model, title, actions] of [
      [IMAGE_MODEL, 'Image 3.1 Flash', ['generateContent', 'predict']],
      ['gemini-2.5-flash-image', 'Image 3.1 Flash (gemini-2.5-flash-image)', ['generateContent']],
    ] as const) {
      const { name, displayName, supportedActions } = await models().get({ model });
      assert.deepEqual([name, displayName, supportedActions], [`models/${model}`, title, actions]);
    }
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

  test('throws its own error for a wrong key', async () => {
    const options = { apiKey: 'mg_wrong', httpOptions: { baseUrl: service.baseUrl } };
    const wrong = { name: 'ApiError', status: 401, message: /UNAUTHENTICATED/ };
    const { models } = new GoogleGenAI(options);
    await assert.rejects(models.list(), wrong);
    await assert.rejects(models.get({ model: IMAGE_MODEL }), wrong);
    await assert.rejects(models.generateContent({ model: IMAGE_MODEL, contents: 'A fox' }), wrong);
  });

  test('works the same with version 2', async () => {
    const options = { apiKey: service.apiKey, httpOptions: { baseUrl: service.baseUrl } };
    const { data } = await new GoogleGenAI2(options).models.generateContent({
      model: IMAGE_MODEL,
      contents: 'A fox',
      config: { imageConfig: { imageSize: '512' } },
    });
    assert.equal(describePicture(data), expectedPicture('1:1', '512'));
  });
});

describe('@google/genai, generateImages', () => {
  // Since version 2, the SDK has this method only in Vertex mode; the prefix then selects the older path.
  const { models } = new GoogleGenAI({
    vertexai: true,
    apiKey: service.apiKey,
    httpOptions: { baseUrl: service.baseUrl, apiVersion: 'v1beta' },
  });
  const generate = (prompt: string, config: GenerateImagesConfig) =>
    models.generateImages({ model: 'models/imagen-4.0-generate-001', prompt, config });

  test('generates several images', async () => {
    const { generatedImages = [] } = await generate('A fox in the snow', {
      numberOfImages: 2,
      aspectRatio: '4:3',
      imageSize: '512',
      personGeneration: PersonGeneration.ALLOW_ADULT,
      safetyFilterLevel: SafetyFilterLevel.BLOCK_ONLY_HIGH,
      outputMimeType: 'image/jpeg',
    });
    assert.deepEqual(
      generatedImages.map(({ image }) => [image?.mimeType, describePicture(image?.imageBytes)]),
      Array.from({ length: 2 }, () => ['image/jpeg', expectedPicture('4:3', '512')]),
    );
  });

  test('receives the reason why an image was filtered', async () => {
    const prompt = 'A fox [sample: blocked IMAGE_SAFETY]';
    const { generatedImages = [] } = await generate(prompt, { includeRaiReason: true });
    assert.equal(generatedImages.length, 1);
    assert.match(generatedImages[0]?.raiFilteredReason ?? '', /IMAGE_SAFETY/);
    await assert.rejects(generate(prompt, {}), { status: 400, message: /IMAGE_SAFETY/ });
  });
});
