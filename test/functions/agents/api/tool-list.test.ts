import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toolInputs } from '../../../../functions/agents/api/tool-inputs.ts';
import { listTools } from '../../../../functions/agents/api/tool-list.ts';
import { TOOL_NAMES, type ToolName } from '../../../../functions/agents/domain/tools.ts';
import { parseBody } from '../../../../functions/platform/body/parse.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';

const UPSTREAMS = [anUpstream('default')];

const describeSchema = (schema: unknown, indent: string): string[] => {
  const { properties, required = [], ...rest } = Object(schema);
  const fields = Object.entries(Object(properties)).map(
    ([name, field]) => `${indent}  ${name}${required.includes(name) ? '' : '?'} ${JSON.stringify(field)}`,
  );
  return [`${indent}${JSON.stringify(rest)}`, ...fields];
};

const describeTools = (): string[] =>
  listTools(UPSTREAMS, TOOL_NAMES).flatMap(({ inputSchema, outputSchema, annotations, ...texts }) => [
    ...Object.values(texts).map(String),
    `  ${JSON.stringify(annotations)}`,
    ...describeSchema(inputSchema, '  takes '),
    ...describeSchema(outputSchema, '  returns '),
  ]);

/** People approve the texts of tools once, so that a change of one must be intended. */
test('the tools are those of tools.txt', () => {
  const file = join(import.meta.dirname, 'tools.txt');
  if (process.env.UPDATE_OPERATIONS === '1') writeFileSync(file, `${describeTools().join('\n')}\n`);
  assert.deepEqual(describeTools(), readFileSync(file, 'utf8').trimEnd().split('\n'));
});

test('no text leads to share links in a deployment without them', () => {
  const others = TOOL_NAMES.filter((name) => name !== 'create_share_link');
  assert.doesNotMatch(JSON.stringify(listTools(UPSTREAMS, others)), /create_share_link/);
});

describe('an argument', () => {
  const inputs = toolInputs(UPSTREAMS);
  const FILE = `file_0${'a'.repeat(25)}`;
  const read = (tool: ToolName, given: Record<string, unknown>) => parseBody(inputs[tool], given);

  test('of null counts as absent', () => {
    assert.deepEqual(read('get_video', { video_id: 'task_1', wait_seconds: null }), { video_id: 'task_1' });
  });

  for (const [tool, given] of [
    ['create_video', { prompt: 'a', first_frame_file_id: FILE, max_price: 3.2, idempotency_key: ' ~' }],
    ['create_video', { prompt: 'a', first_frame_file_id: 'https://images.example.com/fox.png' }],
    ['get_video', { video_id: 'task_1', wait_seconds: 40 }],
    ['list_images', { limit: 20, after: FILE }],
    ['generate_image', { prompt: 'a', n: 4, image_file_ids: [FILE], max_price: '3.20' }],
    ['create_share_link', { file_id: FILE, expires_in_seconds: 1, show_prompt: true }],
    ['create_upload', { filename: 'a', mime_type: 'image/png', bytes: 1 }],
  ] as const)
    test(`is read by ${tool}`, () => {
      const expected = 'max_price' in given ? { ...given, max_price: String(given.max_price) } : given;
      assert.deepEqual(read(tool, given), expected);
    });

  for (const [tool, param, given] of [
    ['create_video', 'prompt', {}],
    ['create_video', 'first_frame_file_id', { prompt: 'a', first_frame_file_id: 'file_1' }],
    ['create_video', 'last_frame_file_id', { prompt: 'a', last_frame_file_id: 1 }],
    ['create_video', 'reference_file_ids', { prompt: 'a', reference_file_ids: [] }],
    ['create_video', 'max_price', { prompt: 'a', max_price: '1,5' }],
    ['create_video', 'max_price', { prompt: 'a', max_price: ['3'] }],
    ['create_video', 'idempotency_key', { prompt: 'a', idempotency_key: '' }],
    ['create_video', 'idempotency_key', { prompt: 'a', idempotency_key: 'a'.repeat(256) }],
    ['create_video', 'idempotency_key', { prompt: 'a', idempotency_key: 'é' }],
    ['create_video', 'idempotency_key', { prompt: 'a', idempotency_key: 1 }],
    ['get_video', 'wait_seconds', { video_id: 'task_1', wait_seconds: 41 }],
    ['list_videos', 'limit', { limit: 21 }],
    ['list_videos', 'status', { status: 'lost' }],
    ['generate_image', 'n', { prompt: 'a', n: 5 }],
    ['create_upload', 'filename', { mime_type: 'image/png', bytes: 1 }],
    ['create_upload', 'bytes', { filename: 'a', mime_type: 'image/png' }],
    ['estimate_price', 'kind', { kind: 'sound' }],
  ] as const)
    test(`is refused: ${param} in ${JSON.stringify(given).slice(0, 80)}`, () => {
      assert.throws(() => read(tool, given), { code: 'invalid_request', param });
    });

  test('of any kind is read or refused with 4xx', () => {
    const names = listTools(UPSTREAMS, TOOL_NAMES).flatMap(({ inputSchema }) =>
      Object.keys(Object(Object(inputSchema).properties)),
    );
    const given = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...TOOL_NAMES), given, (tool, fields) => {
        try {
          read(tool, { ...fields });
        } catch (error) {
          assert.ok(error instanceof DomainError && error.rule.http === 400, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
