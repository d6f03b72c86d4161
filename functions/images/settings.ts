import * as z from 'zod/mini';
import { LIMITS } from '../billing/settings.ts';
import { NAMES } from '../catalogue/settings.ts';
import {
  CHARGES,
  type Environment,
  FILES,
  IMAGE_RETENTION,
  KEYS,
  REMOTE_IMAGES,
  REQUEST_SIZE,
} from '../platform/runtime/environment.ts';
import { UPSTREAMS } from '../upstream/settings.ts';
import { CHAT_CHORES } from './api/text-requests.ts';

/** The environment of every Lambda that generates images. */
export const IMAGES = {
  ...KEYS,
  ...NAMES,
  ...CHARGES,
  ...UPSTREAMS,
  ...LIMITS,
  ...FILES,
  ...REQUEST_SIZE,
  ...REMOTE_IMAGES,
  ...IMAGE_RETENTION,
};
export type ImageEnvironment = Environment<typeof IMAGES>;

/** The same, for the formats of chat applications. */
export const CHAT_IMAGES = { ...IMAGES, CHAT_CHORES: z.enum(CHAT_CHORES) };
export type ChatImageEnvironment = Environment<typeof CHAT_IMAGES>;
