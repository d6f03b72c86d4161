import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { dataUri, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const chat = (fields: object = {}) =>
  new ChatOpenAI({
    model: IMAGE_MODEL,
    apiKey: service.apiKey,
    configuration: { baseURL: `${service.baseUrl}/v1` },
    maxRetries: 0,
    modelKwargs: { imageConfig: { aspectRatio: '16:9', imageSize: '512' } },
    ...fields,
  });
const PICTURE = [expectedPicture('16:9', '512')];

describe('LangChain ChatOpenAI', () => {
  test('receives an image as markdown, with its usage', async () => {
    const answer = await chat().invoke('A fox in the snow');
    assert.deepEqual(picturesIn(answer.text), PICTURE);
    assert.ok(Object(answer.usage_metadata).output_tokens > 0);
  });

  test('streams an image', async () => {
    const texts: string[] = [];
    for await (const chunk of await chat().stream('A fox in the snow')) texts.push(chunk.text);
    assert.deepEqual(picturesIn(texts.join('')), PICTURE);
  });

  test('sends an image, then a follow-up with the previous answer', async () => {
    const messages = [
      new SystemMessage('In ink.'),
      new HumanMessage({
        content: [
          { type: 'text', text: 'Make it blue' },
          { type: 'image_url', image_url: { url: dataUri(PNG, 'image/png') } },
        ],
      }),
    ];
    const first = await chat().invoke(messages);
    const second = await chat().invoke([...messages, first, new HumanMessage('Now at night')]);
    assert.deepEqual(picturesIn(second.text), PICTURE);
  });

  test('throws an error for tools, which are not supported', async () => {
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } } as const;
    await assert.rejects(chat().bindTools([tool]).invoke('A fox'), { status: 400, param: 'tools' });
  });
});
