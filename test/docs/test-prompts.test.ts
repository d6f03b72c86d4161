import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TEST_PROMPTS } from '../../lib/sample-generator/test-prompts.ts';
import { call, createVideo, readError, waitFor } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { openSharedService } from '../support/open-service.ts';
import { firstColumn, namesInCell, tableRows } from './sections.ts';

test('docs/test-prompts.md lists every test prompt, in order', () => {
  const syntaxes = TEST_PROMPTS.map(([syntax]) => `[sample: ${syntax}]`);
  assert.deepEqual(firstColumn(['docs/test-prompts.md', '# Test prompts']), syntaxes);
});

const service = await openSharedService();

/** In the words of the table. */
const seeImage = async (prompt: string, format: string | undefined): Promise<string> => {
  const json = { model: IMAGE_MODEL, prompt, size: '512', ...(format && { output_format: format }) };
  const answer = await call(service, 'POST', '/v1/images/generations', { json });
  if (answer.status === 200) return '200';
  const pause = answer.status === 429 ? ` with \`Retry-After: ${answer.headers.get('retry-after')}\`` : '';
  return `${answer.status} \`${readError(answer).code}\`${pause}`;
};

const seeVideo = async (prompt: string): Promise<string> => {
  const { body } = await waitFor(service, await createVideo(service, prompt));
  if (body.status === 'completed') return 'A task that completes';
  return `A task that fails with \`${Reflect.get(Object(body.error), 'code')}\``;
};

describe('a client sees what docs/test-prompts.md says:', { concurrency: true }, () => {
  const cases = tableRows(['docs/test-prompts.md', '# Test prompts'])
    .filter(([medium = '']) => /^(image|video)/.test(medium))
    .flatMap(([medium, prompts, seen = '']) => namesInCell(prompts).map((each) => ({ medium, each, seen })));

  test('the table has cases of both media', () => {
    assert.ok(cases.length >= 15);
  });

  for (const { medium = '', each, seen } of cases)
    test(`${medium}, ${each}`, async () => {
      const prompt = `a harbour for the table ${each}`;
      const [, format] = namesInCell(medium);
      const actual = medium === 'video' ? await seeVideo(prompt) : await seeImage(prompt, format);
      assert.ok(seen.startsWith(actual), actual);
    });
});
