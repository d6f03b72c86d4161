import type { ImageClaim } from '../../images/domain/kept-image.ts';
import { derivedFileId, FILE_PREFIX } from '../../platform/domain/ids.ts';
import { type GivenImageRequest, imagePart } from '../../upstream/domain/image-request.ts';

/** A response of the Responses API: one call of the tool `image_generation`, whose image is a file of the account. */

/** The options of the tool, as the client sent them. */
export type ToolOptions = Readonly<Record<string, string | number>>;

export const RESPONSE_STATUSES = ['queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

/** What the response repeats of its request. */
export type ResponseTerms = {
  /** Whether it is generated without an open connection. */
  readonly isBackground: boolean;
  readonly instructions: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly previousResponseId: string | null;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly tool: ToolOptions;
  readonly action: 'generate' | 'edit';
  readonly background: 'auto' | 'opaque';
  /** Whether the final image is also sent as a partial image. */
  readonly hasPartialImage: boolean;
};

/** Stored as the claim of its image, so that image, charge and response are completed in one transaction. */
export type StoredResponse = {
  readonly claim: ImageClaim;
  readonly terms: ResponseTerms;
};

const CALL_PREFIX = 'ig_';

/** The image and the call that made it have the same identifier, so that a call is found without a lookup. */
export const toCallId = (fileId: string): string => `${CALL_PREFIX}${fileId.slice(FILE_PREFIX.length)}`;

const CALL_ID = /^ig_([0-9a-z]{26})$/;

export const toFileId = (callId: string): string | undefined => {
  const [, identifier] = CALL_ID.exec(callId) ?? [];
  return identifier === undefined ? undefined : `${FILE_PREFIX}${identifier}`;
};

/** The file of the only image of a request. */
export const imageFileId = ({ createdAt, requestId }: Pick<ImageClaim, 'createdAt' | 'requestId'>): string =>
  derivedFileId(createdAt, requestId, 0);

/** The image of the earlier response goes to the user's first turn, as in a chat. */
export const continueFrom = (request: GivenImageRequest, fileId: string): GivenImageRequest => {
  const first = request.turns.findIndex(({ role }) => role === 'user');
  return {
    ...request,
    turns: request.turns.map((turn, index) =>
      index === first ? { ...turn, parts: [imagePart({ fileId }), ...turn.parts] } : turn,
    ),
  };
};

export type ResponseRepository = {
  find(account: string, id: string): Promise<StoredResponse | undefined>;
  remove(response: StoredResponse): Promise<void>;
};
