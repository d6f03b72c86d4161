import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ImageShrinker,
  UnreadableImage,
} from '../../../../functions/catalogue/domain/image-conversion.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { previewImage } from '../../../../functions/images/usecases/preview-image.ts';
import { aFile } from '../../../support/builders/file.ts';
import { recordingLogger } from '../../../support/loggers.ts';

const ID = 'file_01kf0xw3g0a1b2c3d4e5f6g7h8';
const NOW = 1000;
const FILE = aFile({ id: ID, bytes: 3, purpose: 'output', createdAt: 0, expiresAt: NOW + 9500 });

type Change = {
  readonly file?: StoredFile;
  readonly id?: string;
  readonly stored?: Uint8Array;
  readonly shrink?: ImageShrinker;
  /** The preview that an earlier request has stored. */
  readonly earlier?: Uint8Array;
  readonly putPreview?: () => Promise<void>;
};

const preview = ({
  file = FILE,
  id = ID,
  stored = Uint8Array.of(7),
  shrink = async (bytes) => bytes,
  earlier,
  putPreview = async () => {},
}: Change) => {
  const opened: string[] = [];
  const kept: (readonly [file: string, bytes: Uint8Array])[] = [];
  const { logger, errors } = recordingLogger();
  const logged: unknown[] = [];
  const made = previewImage(
    {
      files: { find: async (account, fileId) => (account === 'acme' && fileId === ID ? file : undefined) },
      objects: {
        openFile: async ({ account, id: opening }) => {
          opened.push(`${account}/${opening}`);
          const close = () => void opened.push('closed');
          return { bytes: stored.length, expiresAt: 0, read: async () => stored, close };
        },
      },
      previews: {
        find: async () => earlier,
        put: (of, bytes) => {
          kept.push([`${of.account}/${of.id}`, bytes]);
          return putPreview();
        },
      },
      shrink,
      logger: { ...logger, info: (...line) => void logged.push(line) },
      now: () => NOW,
    },
    'acme',
    id,
  );
  return { made, opened, kept, errors, logged };
};

describe('a preview', () => {
  test('is made of the bytes of the file, stored, and can be kept as long as the file', async () => {
    const { made, opened, kept } = preview({ shrink: async ([first = 0]) => Uint8Array.of(first + 1) });
    assert.deepEqual(await made, { bytes: Uint8Array.of(8), seconds: 9 });
    assert.deepEqual(opened, [`acme/${ID}`]);
    assert.deepEqual(kept, [[`acme/${ID}`, Uint8Array.of(8)]]);
  });

  test('is made once, and cached for a year if the file is kept', async () => {
    const file = { ...FILE, expiresAt: Date.UTC(9999, 0) };
    const { made, opened, kept } = preview({ earlier: Uint8Array.of(5), file });
    assert.deepEqual(await made, { bytes: Uint8Array.of(5), seconds: 31_536_000 });
    assert.deepEqual([opened, kept], [[], []]);
  });

  test('is returned even if it cannot be stored', async () => {
    const { made, errors } = preview({ putPreview: () => Promise.reject(new Error('SlowDown')) });
    assert.deepEqual((await made).bytes, Uint8Array.of(7));
    assert.deepEqual(errors, [{ event: 'preview not stored', fields: { file: ID }, message: 'SlowDown' }]);
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

  test('is not ready before the bytes have arrived', async () => {
    const { made, opened } = preview({ stored: new Uint8Array(0) });
    await assert.rejects(made, { code: 'file_not_ready', param: 'file_id' });
    assert.deepEqual(opened, [`acme/${ID}`, 'closed']);
  });

  test('is refused for an image that cannot be decoded, which is tried once', async () => {
    const message = `File ${ID} has no preview: it cannot be decoded.`;
    const refusal = { code: 'invalid_image', param: 'file_id', message };
    const first = preview({ shrink: () => Promise.reject(new UnreadableImage('no')) });
    await assert.rejects(first.made, refusal);
    assert.deepEqual(first.kept, [[`acme/${ID}`, new Uint8Array(0)]]);
    assert.deepEqual(first.logged, [['image not decoded', { file: ID, reason: 'no' }]]);
    const second = preview({ earlier: new Uint8Array(0) });
    await assert.rejects(second.made, refusal);
    assert.deepEqual(second.opened, []);
  });

  test('passes on any other failure', () =>
    assert.rejects(preview({ shrink: () => Promise.reject(new Error('out of memory')) }).made, {
      message: 'out of memory',
    }));
});
