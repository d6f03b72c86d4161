import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { type ImageShrinker, UnreadableImage } from '../../../../functions/images/domain/image-conversion.ts';
import { previewImage } from '../../../../functions/images/usecases/preview-image.ts';

const ID = 'file_01kf0xw3g0a1b2c3d4e5f6g7h8';
const NOW = 1000;
const FILE: StoredFile = {
  id: ID,
  account: 'acme',
  name: 'a.png',
  bytes: 3,
  mimeType: 'image/png',
  purpose: 'output',
  createdAt: 0,
  expiresAt: NOW + 9500,
  arrived: true,
};

type Change = {
  readonly file?: StoredFile;
  readonly id?: string;
  readonly stored?: Uint8Array;
  readonly shrink?: ImageShrinker;
};

const preview = ({
  file = FILE,
  id = ID,
  stored = Uint8Array.of(7),
  shrink = async (bytes) => bytes,
}: Change) => {
  const opened: string[] = [];
  const made = previewImage(
    {
      files: { find: async (account, fileId) => (account === 'acme' && fileId === ID ? file : undefined) },
      objects: {
        openFile: async ({ account, id: opening }) => {
          opened.push(`${account}/${opening}`);
          return { bytes: stored.length, expiresAt: 0, read: async () => stored, close: () => {} };
        },
      },
      shrink,
      now: () => NOW,
    },
    'acme',
    id,
  );
  return { made, opened };
};

describe('a preview', () => {
  test('is made of the bytes of the file and can be kept as long as the file', async () => {
    const { made, opened } = preview({ shrink: async ([first = 0]) => Uint8Array.of(first + 1) });
    assert.deepEqual(await made, { bytes: Uint8Array.of(8), seconds: 9 });
    assert.deepEqual(opened, [`acme/${ID}`]);
  });

  for (const [name, change] of [
    ['an expired file', { file: { ...FILE, expiresAt: NOW } }],
    ['an unknown file', { id: 'file_01kf0xw3g0a1b2c3d4e5f6g7h9' }],
    ['something that is not a file', { id: 'task_1' }],
  ] as const)
    test(`is not found for ${name}`, async () => {
      const { made, opened } = preview(change);
      await assert.rejects(made, { code: 'file_not_found', param: 'file_id' });
      assert.deepEqual(opened, []);
    });

  test('is not ready before the bytes have arrived', () =>
    assert.rejects(preview({ stored: new Uint8Array(0) }).made, { code: 'file_not_ready' }));

  test('is refused for an image that cannot be decoded', () =>
    assert.rejects(preview({ shrink: () => Promise.reject(new UnreadableImage('no')) }).made, {
      code: 'invalid_image',
      message: `File ${ID} has no preview: it cannot be decoded.`,
    }));

  test('passes on any other failure', () =>
    assert.rejects(preview({ shrink: () => Promise.reject(new Error('out of memory')) }).made, {
      message: 'out of memory',
    }));
});
