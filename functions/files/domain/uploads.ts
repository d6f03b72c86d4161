import { createHash, randomBytes } from 'node:crypto';
import { MAX_IMAGE_BYTES } from '../../catalogue/domain/models.ts';
import { type MemberRepository, stillGrants } from '../../identity/domain/person.ts';
import { FILE_PREFIX } from '../../platform/domain/ids.ts';
import { type Addition, type StoredFile, UPLOAD_LIFETIME } from './files.ts';

/** A file that a client sends to this service in chunks, each in a request of its own. */
export type Upload = {
  readonly file: StoredFile;
  readonly secretHash: string;
  /** False if the client has not said how long the file is: until its end, it then counts as the longest possible. */
  readonly hasKnownLength: boolean;
  readonly chunks: readonly Chunk[];
  /** Of the bytes that came after the chunks, in the request that finished the upload. */
  readonly lastSha256?: string | undefined;
};

/** Known when the upload is finished. */
export type UploadContent = Pick<StoredFile, 'bytes' | 'mimeType' | 'sha256'> &
  Required<Pick<Upload, 'lastSha256'>>;

export type Chunk = { readonly offset: number; readonly bytes: number; readonly sha256: string };

/** Lambda accepts 6 MB, and Base64 adds a third. The rest is for headers. */
export const MAX_CHUNK_BYTES = Math.floor(4.4 * 1024 * 1024);

/** The chunks are attributes of one item, which DynamoDB limits to 400 KB. */
export const MAX_CHUNKS = 100;

export const receivedBytes = ({ chunks }: Pick<Upload, 'chunks'>): number =>
  chunks.reduce((sum, { bytes }) => sum + bytes, 0);

export const mostBytes = ({ file, hasKnownLength }: Upload): number =>
  hasKnownLength ? file.bytes : MAX_IMAGE_BYTES;

export const hasEnded = ({ file }: Upload, now: number): boolean => now >= file.createdAt + UPLOAD_LIFETIME;

/** An upload ends when the person who started it is removed or may not upload any more. */
export const mayUpload = async (
  members: MemberRepository,
  { account, uploaderId, createdAt }: StoredFile,
): Promise<boolean> =>
  uploaderId === undefined || stillGrants(await members.find(account, uploaderId), 'member', createdAt);

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('base64');

/** One object for each offset, so that requests at the same time cannot store more than the file may have. */
export const chunkKey = ({ account, id }: StoredFile, { offset }: Chunk): string =>
  `uploads/~${account}/${id}/${offset}`;

/** Whoever knows the address of an upload may send its bytes, so it contains a secret. Only its hash is stored. */
export type UploadAddress = {
  readonly account: string;
  readonly id: string;
  readonly secret: string;
};

const SECRET_BYTES = 24;
const UPLOAD_ID = /([0-7][0-9a-hjkmnp-tv-z]{25})\.([\w-]{32})\.([\w-]{1,1000})/;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The account is needed to find the item. */
export const toUploadId = ({ account, id, secret }: UploadAddress): string =>
  [id.slice(FILE_PREFIX.length), secret, Buffer.from(account).toString('base64url')].join('.');

export const readUploadId = (text: string): UploadAddress | undefined => {
  const [, id = '', secret = '', encoded = ''] = UPLOAD_ID.exec(text) ?? [];
  const address = {
    account: Buffer.from(encoded, 'base64url').toString(),
    id: `${FILE_PREFIX}${id}`,
    secret,
  };
  // The text may have more than an id; decoding ignores what is not Base64 and replaces what is not UTF-8.
  return toUploadId(address) === text ? address : undefined;
};

export type UploadRepository = {
  /** Adds the file and its bytes, unless the account would then exceed the limit. */
  create(upload: Upload, limitBytes: number): Promise<Addition>;
  find(account: string, id: string): Promise<Upload | undefined>;
  /** False means that another request has added a chunk, or that the file is gone. */
  addChunk(upload: Upload, chunk: Chunk): Promise<boolean>;
  /** Fixes length, type and hashes of the file. False means that another request did, or that the file is gone. */
  settle(upload: Upload, content: UploadContent): Promise<boolean>;
};

export type ChunkStore = {
  put(file: StoredFile, chunk: Chunk, bytes: Uint8Array): Promise<void>;
  read(file: StoredFile, chunk: Chunk): Promise<Uint8Array>;
  discard(file: StoredFile, chunks: readonly Chunk[]): Promise<void>;
};
