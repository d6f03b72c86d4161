import { randomBytes } from 'node:crypto';
import { encodeBytes, encodeTime } from '../../platform/domain/timed-id.ts';

/** Carries its time, so that the identifiers of an account sort as its files came. */
export const newFileId = (now: number): string =>
  `file_${encodeTime(now)}${encodeBytes(randomBytes(16), 16)}`;
