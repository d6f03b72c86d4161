import * as z from 'zod/mini';
import { LIMITS } from '../billing/settings.ts';
import { FILE_CREATION } from '../files/settings.ts';
import {
  AUDIT,
  CHARGES,
  type Environment,
  IMAGE_RETENTION,
  KEY_HOLDERS,
  PUBLIC_ADDRESS,
  REMOTE_IMAGES,
  STEP_QUEUE,
  seconds,
  TASKS,
  text,
  WEBHOOK_QUEUE,
  wholeNumber,
} from '../platform/runtime/environment.ts';
import { UPSTREAMS } from '../upstream/settings.ts';

/** The variables of everything that tools can do. */
export const MCP = {
  KEY_TABLE: text,
  ...KEY_HOLDERS,
  ...UPSTREAMS,
  ...LIMITS,
  ...CHARGES,
  ...TASKS,
  ...STEP_QUEUE,
  MAX_QUEUE_SECONDS: seconds,
  ...WEBHOOK_QUEUE,
  ...FILE_CREATION,
  ...IMAGE_RETENTION,
  ...REMOTE_IMAGES,
  /** Absent without the feature shares. */
  SHARE_TABLE: z.optional(text),
  ...AUDIT,
  ...PUBLIC_ADDRESS,
  /** The executions that queue consumers leave to the API; half of them may wait or make images. */
  API_EXECUTIONS: wholeNumber,
};
export type McpEnvironment = Environment<typeof MCP>;
