import { checkImage } from '../../catalogue/domain/input-image.ts';
import { MAX_IMAGE_BYTES } from '../../catalogue/domain/models.ts';
import type { MemberRepository } from '../../identity/domain/person.ts';
import { DomainError, type UploadStatus } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import type { FileRepository, FileStore, StoredFile } from '../domain/files.ts';
import {
  type ChunkStore,
  hasEnded,
  MAX_CHUNKS,
  mayUpload,
  mostBytes,
  newSecret,
  readUploadId,
  receivedBytes,
  sha256,
  toUploadId,
  type Upload,
  type UploadContent,
  type UploadRepository,
} from '../domain/uploads.ts';
import { type Creation, type FileOwner, type FileTerms, newFile, requireStorage } from './manage-files.ts';

type Start = Pick<Creation, 'now' | 'storageBytes' | 'retentionSeconds'> & {
  readonly uploads: Pick<UploadRepository, 'create'>;
};

/** Registers a file whose bytes follow in requests of their own; returns the secret id of the upload. */
export const startUpload = async (
  dependencies: Start,
  owner: FileOwner,
  { bytes, ...terms }: Omit<FileTerms, 'bytes'> & { readonly bytes: number | undefined },
): Promise<string> => {
  const secret = newSecret();
  const file = newFile(dependencies, owner, { ...terms, bytes: bytes ?? MAX_IMAGE_BYTES });
  const upload: Upload = {
    file,
    secretHash: sha256(secret),
    hasKnownLength: bytes !== undefined,
    chunks: [],
  };
  requireStorage(dependencies, file, await dependencies.uploads.create(upload, dependencies.storageBytes));
  return toUploadId({ account: file.account, id: file.id, secret });
};

type Receiver = {
  readonly uploads: Pick<UploadRepository, 'find' | 'addChunk' | 'settle'>;
  readonly members: MemberRepository;
  readonly files: Pick<FileRepository, 'markArrived' | 'remove'>;
  readonly store: Pick<FileStore, 'put'>;
  readonly chunks: ChunkStore;
  readonly logger: Logger;
  readonly now: Clock;
};

/** The bytes that a request adds at an offset, and whether they complete the file. */
export type UploadStep = {
  readonly added: { readonly offset: number; readonly bytes: Uint8Array } | undefined;
  readonly isLast: boolean;
};

export type UploadState =
  | { readonly status: 'active'; readonly received: number }
  | { readonly status: 'cancelled' }
  | { readonly status: 'final'; readonly file: StoredFile };

const refusal = (message: string, uploadStatus: UploadStatus): DomainError =>
  new DomainError('invalid_request', message, { uploadStatus });

/** Another account's upload, an ended one and one that never existed are all "not found". */
export const findUpload = async (
  { uploads, members, now }: Pick<Receiver, 'uploads' | 'members' | 'now'>,
  uploadId: string,
): Promise<Upload> => {
  const address = readUploadId(uploadId);
  const upload = address && (await uploads.find(address.account, address.id));
  const isOpen =
    address !== undefined && upload?.secretHash === sha256(address.secret) && !hasEnded(upload, now());
  if (!isOpen || !(await mayUpload(members, upload.file)))
    throw new DomainError(
      'not_found',
      'upload_id does not name an upload that is open: an upload ends after 15 minutes. Start another one.',
      { uploadStatus: 'cancelled' },
    );
  return upload;
};

export const uploadState = (upload: Upload): UploadState =>
  upload.file.arrived
    ? { status: 'final', file: upload.file }
    : { status: 'active', received: receivedBytes(upload) };

export const cancelUpload = async (dependencies: Receiver, upload: Upload): Promise<UploadState> => {
  if (upload.file.arrived) throw refusal('The upload is finished: delete the file instead.', 'final');
  await end(dependencies, upload);
  return { status: 'cancelled' };
};

export const receiveBytes = async (
  dependencies: Receiver,
  upload: Upload,
  { added, isLast }: UploadStep,
): Promise<UploadState> => {
  if (upload.file.arrived) return repeatLast(upload, { added, isLast });
  if (added !== undefined && !isLast && isKept(upload, added)) return uploadState(upload);
  if (added !== undefined) await checkPlace(dependencies, upload, added);
  if (isLast) return finish(dependencies, upload, added?.bytes ?? new Uint8Array(0));
  return added === undefined ? uploadState(upload) : keepChunk(dependencies, upload, added);
};

/** A client that got no response sends its bytes again. */
const isKept = ({ chunks }: Upload, { offset, bytes }: NonNullable<UploadStep['added']>): boolean =>
  chunks.some((chunk) => chunk.offset === offset && chunk.sha256 === sha256(bytes));

/** The same for the last bytes. */
const repeatLast = (upload: Upload, { added, isLast }: UploadStep): UploadState => {
  const isSame =
    added === undefined ||
    added.bytes.length === 0 ||
    (added.offset === receivedBytes(upload) && sha256(added.bytes) === upload.lastSha256);
  if (isLast && isSame) return { status: 'final', file: upload.file };
  throw refusal('The upload is finished, and its file cannot be changed.', 'final');
};

const checkPlace = async (
  dependencies: Receiver,
  upload: Upload,
  { offset, bytes }: NonNullable<UploadStep['added']>,
): Promise<void> => {
  const received = receivedBytes(upload);
  if (offset !== received)
    throw refusal(
      `X-Goog-Upload-Offset must be ${received}, because ${received} bytes have arrived.`,
      'active',
    );
  if (received + bytes.length <= mostBytes(upload)) return;
  await end(dependencies, upload);
  throw refusal(
    upload.hasKnownLength
      ? `The file is longer than the ${upload.file.bytes} bytes in X-Goog-Upload-Header-Content-Length.`
      : `The file has more than ${formatMegabytes(MAX_IMAGE_BYTES)}.`,
    'cancelled',
  );
};

const keepChunk = async (
  { uploads, chunks }: Receiver,
  upload: Upload,
  { offset, bytes }: NonNullable<UploadStep['added']>,
): Promise<UploadState> => {
  if (bytes.length === 0) throw refusal('The request has no bytes to upload.', 'active');
  if (upload.chunks.length === MAX_CHUNKS)
    throw refusal(`An upload can have ${MAX_CHUNKS} chunks: send larger ones.`, 'active');
  const chunk = { offset, bytes: bytes.length, sha256: sha256(bytes) };
  await chunks.put(upload.file, chunk, bytes);
  if (await uploads.addChunk(upload, chunk)) return { status: 'active', received: offset + bytes.length };
  const current = await uploads.find(upload.file.account, upload.file.id);
  // The write was made, but its response was lost.
  if (current !== undefined && isKept(current, { offset, bytes })) return uploadState(current);
  throw refusal('Another request has changed the upload at the same time: query it and continue.', 'active');
};

const finish = async (
  dependencies: Receiver,
  upload: Upload,
  lastBytes: Uint8Array,
): Promise<UploadState> => {
  const { files, store, chunks } = dependencies;
  const total = receivedBytes(upload) + lastBytes.length;
  if (total === 0 || (upload.hasKnownLength && total !== upload.file.bytes))
    throw refusal(
      `${total} bytes have arrived${upload.hasKnownLength ? `, but X-Goog-Upload-Header-Content-Length is ${upload.file.bytes}` : ''}: send the rest before you finalize.`,
      'active',
    );
  const earlier = await Promise.all(upload.chunks.map((chunk) => chunks.read(upload.file, chunk)));
  if (earlier.some((bytes, position) => sha256(bytes) !== upload.chunks[position]?.sha256)) {
    await end(dependencies, upload);
    throw refusal('Two requests have sent different bytes for the same offset. Start again.', 'cancelled');
  }
  const image = checkImage(Buffer.concat([...earlier, lastBytes]));
  if (typeof image === 'string') {
    await end(dependencies, upload);
    throw new DomainError('invalid_image', `The file ${image}`, { uploadStatus: 'final' });
  }
  const file = await settle(dependencies, upload, {
    bytes: image.bytes.length,
    mimeType: image.mimeType,
    sha256: sha256(image.bytes),
    lastSha256: sha256(lastBytes),
  });
  await store.put(file, image.bytes);
  await files.markArrived(file);
  await discardChunks(dependencies, upload);
  return { status: 'final', file: { ...file, arrived: true } };
};

/** Of two requests that finish an upload with different bytes, one wins. */
const settle = async ({ uploads }: Receiver, upload: Upload, content: UploadContent): Promise<StoredFile> => {
  const { lastSha256: _, ...settled } = content;
  if (await uploads.settle(upload, content)) return { ...upload.file, ...settled };
  const current = await uploads.find(upload.file.account, upload.file.id);
  if (current !== undefined && current.file.sha256 === content.sha256) return current.file;
  throw refusal('Another request has changed the upload at the same time.', 'cancelled');
};

const end = async (dependencies: Receiver, upload: Upload): Promise<void> => {
  await dependencies.files.remove(upload.file, dependencies.now());
  await discardChunks(dependencies, upload);
};

const discardChunks = async ({ chunks, logger }: Receiver, { file, chunks: kept }: Upload): Promise<void> => {
  await chunks.discard(file, kept).catch((error: unknown) => {
    logger.error('file not removed', error, { file: file.id });
  });
};
