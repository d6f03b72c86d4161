import type { StoredFile } from '../../../functions/files/domain/files.ts';

/** An uploaded image that has arrived. */
export const aFile = (change: Partial<StoredFile> = {}): StoredFile => ({
  id: 'file_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'acme',
  name: 'a.png',
  bytes: 400,
  mimeType: 'image/png',
  purpose: 'vision',
  createdAt: 1000,
  expiresAt: 90_000_000,
  arrived: true,
  ...change,
});

/** How a generated image was made. */
export const anOutput = (change: Partial<NonNullable<StoredFile['output']>> = {}) => ({
  model: 'image-3.1-flash-image-preview',
  prompt: 'a boat',
  size: '512x384',
  keyId: 'key_1',
  durationMs: 4000,
  amount: '0.07',
  currency: 'USD',
  ...change,
});

export const aGeneratedImage = (change: Partial<StoredFile> = {}): StoredFile =>
  aFile({ purpose: 'output', output: anOutput(), ...change });
