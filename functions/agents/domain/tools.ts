import { DEFAULT_VIDEO_MODEL } from '../../catalogue/domain/model-aliases.ts';
import { IMAGE_MODEL, type VideoModel } from '../../catalogue/domain/models.ts';
import type { Caller } from '../../identity/domain/api-key.ts';
import type { AuditOrigin } from '../../identity/domain/audit.ts';
import { truncate } from '../../platform/domain/text.ts';
import type { Fields, Progress } from './messages.ts';

/** The tools that agents can call, with the REST route whose rules and role each of them has. */
export const TOOL_ROUTES = {
  list_models: 'GET /v1/models',
  estimate_price: 'GET /v1/models',
  create_video: 'POST /v1/videos',
  get_video: 'GET /v1/videos/{task_id}',
  list_videos: 'GET /v1/videos',
  cancel_video: 'POST /v1/videos/{task_id}/cancel',
  generate_image: 'POST /v1/images/generations',
  get_image: 'GET /v1/files/{file_id}',
  list_images: 'GET /v1/files',
  create_upload: 'POST /v1/files',
  create_share_link: 'POST /v1/shares',
  get_budget: 'GET /v1/models',
} as const;

export type ToolName = keyof typeof TOOL_ROUTES;

export const isToolName = (name: unknown): name is ToolName =>
  typeof name === 'string' && Object.hasOwn(TOOL_ROUTES, name);

const VIDEO_TOOLS: readonly string[] = ['create_video', 'get_video', 'list_videos', 'cancel_video'];
/** Results have links to images, so these need the files in which images are kept. */
const IMAGE_TOOLS: readonly string[] = ['generate_image', 'get_image', 'list_images'];

/** The tools of a deployment, in a fixed order. */
export const offeredTools = (models: readonly string[], keepsImages: boolean): readonly ToolName[] =>
  Object.keys(TOOL_ROUTES)
    .filter(isToolName)
    .filter((name) => {
      if (VIDEO_TOOLS.includes(name)) return models.some((model) => model !== IMAGE_MODEL);
      return !IMAGE_TOOLS.includes(name) || (keepsImages && models.includes(IMAGE_MODEL));
    });

/** The model of a call that names none. */
export const defaultToolModel = (models: readonly VideoModel[]): VideoModel => {
  const [first = DEFAULT_VIDEO_MODEL] = models;
  return models.includes(DEFAULT_VIDEO_MODEL) ? DEFAULT_VIDEO_MODEL : first;
};

/** Clients give up after 60 seconds, so no call lasts longer than this. */
export const LONGEST_CALL_SECONDS = 45;
/** The longest wait for a video, or for images whose generation continues afterwards. */
export const LONGEST_WAIT_SECONDS = 40;

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
    };

export type ToolResult = {
  /** Every fact of the result; also sent as one line of JSON, for clients that read only text. */
  readonly structured: Fields;
  readonly content?: readonly Content[];
  /** Work that continues after the result is sent. */
  readonly settled?: Promise<unknown>;
};

export type ToolCall = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly origin: AuditOrigin;
  readonly baseUrl: string;
  /** When the call must have a result, in milliseconds. */
  readonly deadline: number;
  readonly report: (progress: Progress) => void;
};

export type ToolHandler = (given: unknown, call: ToolCall) => Promise<ToolResult>;

/** Arguments as the query of a REST request, whose reader then checks them. */
export const toQuery =
  (given: Fields) =>
  (name: string): string | undefined =>
    given[name] === undefined ? undefined : String(given[name]);

/** An error that only tools have; all others are those of the REST API. */
export class ToolRefusal extends Error {
  readonly code = 'price_above_limit';
}

/** Prompts and names are written by people whom the agent does not work for: they are data, and short. */
const MAX_QUOTED_CHARACTERS = 200;

/** Control characters, invisible ones and those that change the direction of text. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

export const quoteText = (text: string, most = MAX_QUOTED_CHARACTERS): string => {
  const plain = truncate(text, 4 * most).replace(HIDDEN, ' ');
  return plain.length > most ? `${truncate(plain, most - 1)}…`.toWellFormed() : plain.toWellFormed();
};
