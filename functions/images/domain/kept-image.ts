import { hash } from 'node:crypto';
import type { ImageChargeRecord, TokenCounts } from '../../billing/domain/charges.ts';
import type { ReservedMoney } from '../../billing/domain/ports.ts';
import {
  type GivenImage,
  isFileReference,
  isRemoteImage,
  readImageHeader,
} from '../../catalogue/domain/input-image.ts';
import { MAX_PROMPT_CHARACTERS } from '../../catalogue/domain/models.ts';
import type { StoredFile } from '../../files/domain/files.ts';
import { DomainError, type ErrorCode } from '../../platform/domain/errors.ts';
import { derivedFileId } from '../../platform/domain/ids.ts';
import { truncate } from '../../platform/domain/text.ts';
import {
  type GeneratedImage,
  type GivenImageRequest,
  type ImageRequest,
  nativeDocument,
} from '../../upstream/domain/image-request.ts';
import type { ConvertedImage, RemovedCredentials } from './content-credentials.ts';

/** Generated images are kept as files of their account. */

export type KeptFile = Pick<StoredFile, 'account' | 'id' | 'name' | 'mimeType'>;

/** The file is undefined if images are not stored. */
export type MadeImage = ConvertedImage & {
  readonly file?: KeptFile | undefined;
  readonly completedAt?: number | undefined;
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const fileName = (id: string, mimeType: string): string => `${id}.${EXTENSIONS[mimeType] ?? 'bin'}`;

const lastPrompt = ({ turns }: ImageRequest): string => {
  const { parts = [] } = turns.findLast(({ role }) => role === 'user') ?? {};
  const texts = parts.flatMap(({ content }) => (content.kind === 'text' ? [content.text] : []));
  return truncate(texts.join('\n'), MAX_PROMPT_CHARACTERS);
};

type FileTerms = Pick<StoredFile, 'createdAt' | 'expiresAt'> & {
  readonly durationMs: number;
  readonly charge: ImageChargeRecord;
  /** The request that the file's id is derived from, and the position of the image in its response. */
  readonly requestId: string;
  readonly index: number;
};

export const toOutputFile = (
  { createdAt, expiresAt, durationMs, charge, requestId, index }: FileTerms,
  request: ImageRequest,
  { image }: GeneratedImage,
  bytes: Uint8Array,
): StoredFile => {
  const header = readImageHeader(bytes);
  const mimeType = header?.mimeType ?? image.mimeType;
  const id = derivedFileId(createdAt, requestId, index);
  return {
    id,
    account: charge.account,
    name: fileName(id, mimeType),
    bytes: bytes.length,
    mimeType,
    purpose: 'output',
    createdAt,
    expiresAt,
    arrived: true,
    output: {
      model: request.model,
      prompt: lastPrompt(request),
      size: header === undefined ? 'auto' : `${header.width}x${header.height}`,
      keyId: charge.keyId,
      personId: charge.personId,
      durationMs,
      amount: charge.amount,
      currency: charge.currency,
    },
  };
};

/** Everything of an answer except the image, which is in its file. */
export type ImageResult =
  | {
      readonly outcome: 'image';
      readonly text: string;
      readonly cutShort: boolean;
      readonly tokens: TokenCounts;
      readonly promptImageTokens?: number | undefined;
      readonly contentCredentials?: RemovedCredentials | undefined;
      readonly completedAt: number;
    }
  | { readonly outcome: 'failed'; readonly code: ErrorCode; readonly message: string };

export const toResult = (
  { text, cutShort, tokens, promptImageTokens, contentCredentials }: ConvertedImage,
  completedAt: number,
): ImageResult => ({
  outcome: 'image',
  text: truncate(text, MAX_PROMPT_CHARACTERS),
  cutShort,
  tokens,
  promptImageTokens,
  contentCredentials,
  completedAt,
});

export const toFailure = (error: unknown): ImageResult =>
  error instanceof DomainError
    ? { outcome: 'failed', code: error.code, message: error.message }
    : { outcome: 'failed', code: 'internal', message: 'Something went wrong on our side.' };

/** The answer of an earlier request, from its result and the bytes of its file. */
export const fromResult = (
  { account, createdAt, requestId, results }: ImageClaim,
  index: number,
  bytes: Uint8Array,
): MadeImage => {
  const result = results.get(index);
  if (result?.outcome !== 'image') throw new Error(`image ${index} of ${requestId} was not made`);
  const mimeType = readImageHeader(bytes)?.mimeType ?? 'image/jpeg';
  const image = { mimeType, base64: Buffer.from(bytes).toString('base64') };
  const id = derivedFileId(createdAt, requestId, index);
  return {
    ...result,
    image,
    document: nativeDocument({ ...result, image }),
    file: { account, id, name: fileName(id, mimeType), mimeType },
  };
};

/** A request with an `Idempotency-Key`. It is written before the upstream is called, and gets a result per image. */
export type ImageClaim = {
  readonly account: string;
  /** Derived from the account's `Idempotency-Key`. */
  readonly id: string;
  readonly fingerprint: string;
  /** The first request with this key: the ids of files and charges are derived from it. */
  readonly requestId: string;
  readonly count: number;
  readonly createdAt: number;
  /** When the request that works on it began. */
  readonly at: number;
  readonly expiresAt: number;
  readonly results: ReadonlyMap<number, ImageResult>;
};

export type ImageClaims = {
  /** Writes the claim, or returns the existing one with its id. */
  add(claim: ImageClaim, now: number): Promise<ImageClaim | undefined>;
  /** Takes over a claim whose request has died; false means that another request did. */
  renew(held: ImageClaim, at: number): Promise<boolean>;
  saveFailures(claim: ImageClaim, failures: ReadonlyMap<number, ImageResult>): Promise<void>;
  /** The next request with the same key, if it is the same request, makes the images that have no result. */
  leave(claim: ImageClaim): Promise<void>;
  /** The same, but without any result the key can be used for another request. */
  release(claim: ImageClaim): Promise<void>;
};

/** Written in the same transaction as the charge: there is no charge without a file, and no file without a charge. */
export type KeptImage = {
  readonly file: StoredFile;
  /** Completes an image of a claimed request. */
  readonly result:
    | { readonly claim: ImageClaim; readonly index: number; readonly value: ImageResult }
    | undefined;
};

export type ImageCharges = {
  record(charge: ImageChargeRecord, reservation?: ReservedMoney, kept?: KeptImage): Promise<void>;
};

const toDigest = (content: string | Uint8Array): string => hash('sha256', content);

const identifyImage = (image: GivenImage): string => {
  if (isFileReference(image)) return image.fileId;
  return isRemoteImage(image) ? image.address : toDigest(image.bytes);
};

/** Equal for equal requests. Images count by their content, the id of their file, or their address. */
export const toFingerprint = (request: GivenImageRequest, count: number, options: unknown): string => {
  const turns = request.turns.map(({ role, parts }) => ({
    role,
    parts: parts.map(({ content, signature }) => {
      if (content.kind === 'text') return { text: content.text, signature };
      return { image: identifyImage(content.image), signature };
    }),
  }));
  return toDigest(JSON.stringify({ ...request, turns, count, options }));
};

export const claimId = (account: string, idempotencyKey: string): string =>
  `request_${toDigest(JSON.stringify([account, idempotencyKey]))}`;
