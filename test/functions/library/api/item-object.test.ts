import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageItem, videoItem } from '../../../../functions/library/api/item-object.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import { aGeneratedImage } from '../../../support/builders/file.ts';
import { aTask } from '../../../support/builders/task.ts';

test('an item has its name, and an end unless it is kept or has no file', () => {
  const { id } = aTask();
  const video = { id, object: 'library.item', kind: 'video', name: null, kept: false, expires_at: null };
  assert.deepEqual(videoItem(aTask()), video);
  assert.deepEqual(videoItem(aTask({ expiresAt: 5999 })), { ...video, expires_at: 5 });
  const image = aGeneratedImage({ title: 'Fox', expiresAt: NEVER });
  assert.deepEqual(imageItem(image), { ...video, id: image.id, kind: 'image', name: 'Fox', kept: true });
});
