import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCall } from '../../../console/connect/mcp-call.ts';
import { setUps } from '../../../console/connect/set-ups.ts';
import { imageProgram } from '../../../console/playground/image-form.ts';
import { videoProgram } from '../../../console/playground/video-code.ts';
import { EMPTY_VIDEO_FORM, NO_FILES } from '../../../console/playground/video-form.ts';
import { toolInputs } from '../../../functions/agents/api/tool-inputs.ts';
import { parseBody } from '../../../functions/platform/body/parse.ts';

const URL = 'https://api.example.com/prod/mcp';
const KEY = 'mgk_example';

test('each set-up has the address and the key, and docs/clients.md has the same clients', () => {
  const documented = readFileSync(join(import.meta.dirname, '../../../docs/clients.md'), 'utf8');
  for (const { name, code } of setUps(URL, KEY)) {
    assert.ok(code.includes(URL) && code.includes(KEY), name);
    assert.ok(name === 'JSON' || documented.includes(`| ${name} |`), name);
  }
});

test('the calls of the playgrounds are arguments that the tools accept', () => {
  const inputs = toolInputs([]);
  const form = {
    ...EMPTY_VIDEO_FORM,
    prompt: 'A cat',
    seed: '7',
    mode: 'first_and_last_frame',
    negativePrompt: 'dogs',
  } as const;
  const video = JSON.parse(writeCall(videoProgram(form, NO_FILES))).params;
  assert.deepEqual(video, {
    name: 'create_video',
    arguments: {
      model: form.model,
      prompt: 'A cat',
      seconds: 8,
      resolution: '720p',
      aspect_ratio: '16:9',
      negative_prompt: 'dogs',
      seed: 7,
      first_frame_file_id: 'FILE_ID',
      last_frame_file_id: 'FILE_ID',
    },
  });
  const image = JSON.parse(
    writeCall(
      imageProgram({ prompt: 'A fox', aspectRatio: '1:1', imageSize: '2K', count: 2, kept: [] }, [
        { name: 'a.png' },
        { name: 'b.png' },
      ]),
    ),
  ).params;
  assert.deepEqual(image.arguments, {
    prompt: 'A fox',
    aspect_ratio: '1:1',
    image_size: '2K',
    n: 2,
    image_file_ids: ['FILE_ID', 'FILE_ID'],
  });
  const id = 'file_01m7p8sde9kdcyr73xafvg0a6g';
  parseBody(inputs.create_video, {
    ...video.arguments,
    first_frame_file_id: id,
    last_frame_file_id: id,
  });
  parseBody(inputs.generate_image, { ...image.arguments, image_file_ids: [id] });
});
