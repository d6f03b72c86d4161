import { IMAGE_MODEL, type VideoModel } from '../../catalogue/domain/models.ts';
import type { Caller } from '../../identity/domain/api-key.ts';
import type { CallerAction } from '../../identity/domain/audit.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { isNegative, minus } from '../../platform/domain/money.ts';
import { isOneOf, truncate } from '../../platform/domain/text.ts';
import type { Fields, Progress } from './messages.ts';

export const TOOL_NAMES = [
  'list_models',
  'estimate_price',
  'create_video',
  'get_video',
  'list_videos',
  'cancel_video',
  'generate_image',
  'get_image',
  'list_images',
  'create_upload',
  'create_share_link',
  'get_budget',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export const isToolName = (name: unknown): name is ToolName => isOneOf(TOOL_NAMES, name);

const VIDEO_TOOLS: readonly string[] = ['create_video', 'get_video', 'list_videos', 'cancel_video'];
/** Results have links to images, so these need the files in which images are kept. */
const IMAGE_TOOLS: readonly string[] = ['generate_image', 'get_image', 'list_images'];

type Offer = {
  readonly models: readonly string[];
  readonly keepsImages: boolean;
  /** Whether the deployment has the feature shares. */
  readonly hasShares: boolean;
};

/** The tools of a deployment, in a fixed order. */
export const offeredTools = ({ models, keepsImages, hasShares }: Offer): readonly ToolName[] =>
  TOOL_NAMES.filter((name) => {
    if (name === 'create_share_link') return hasShares;
    if (VIDEO_TOOLS.includes(name)) return models.some((model) => model !== IMAGE_MODEL);
    return !IMAGE_TOOLS.includes(name) || (keepsImages && models.includes(IMAGE_MODEL));
  });

/** The end of a sentence about links that soon expire, if there are others. */
export const lastingLinks = (hasShares: boolean, links = 'lasting links'): string =>
  hasShares ? `; for ${links} call create_share_link` : '';

const CHEAP_VIDEO_MODEL = 'video-3.1-fast-generate-preview';

/** The model of a call that names none. */
export const defaultToolModel = (models: readonly VideoModel[]): VideoModel => {
  const [first = CHEAP_VIDEO_MODEL] = models;
  return models.includes(CHEAP_VIDEO_MODEL) ? CHEAP_VIDEO_MODEL : first;
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
  readonly action: CallerAction;
  readonly publicUrl: string;
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

type Price = { readonly amount: string | null; readonly currency: string | null };

/** Refuses a call that costs more than its caller allows, before anything is created. */
export const requirePrice = (maxPrice: string | undefined, { amount, currency }: Price): void => {
  if (maxPrice === undefined) return;
  if (amount === null)
    throw invalidField(
      'max_price',
      'max_price cannot be checked, because the service has no price for this request: leave it out.',
    );
  if (isNegative(minus(maxPrice, amount)))
    throw new ToolRefusal(
      `This would cost ${amount} ${currency}, more than max_price ${maxPrice}. Nothing was created. Choose a cheaper model, fewer seconds or fewer images, or ask the user to allow more.`,
    );
};

/** Prompts and names are written by people whom the agent does not work for: they are data, and short. */
const MAX_QUOTED_CHARACTERS = 200;

/** Control characters, invisible ones and those that change the direction of text. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

export const quoteText = (text: string, most = MAX_QUOTED_CHARACTERS): string => {
  const plain = truncate(text, 4 * most).replace(HIDDEN, ' ');
  return plain.length > most ? `${truncate(plain, most - 1)}…`.toWellFormed() : plain.toWellFormed();
};

/** The message may be that of an upstream, which may repeat the prompt. */
export const quoteError = (code: string, message: string): string => `${code}: ${quoteText(message, 500)}`;
