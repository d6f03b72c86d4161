import { type ImageShrinker, UnreadableImage } from '../../catalogue/domain/image-conversion.ts';
import type { FileReader, FileRepository, OpenedFile, PreviewStore } from '../../files/domain/files.ts';
import { findFile } from '../../files/usecases/manage-files.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';

type Dependencies = {
  readonly files: Pick<FileRepository, 'find'>;
  readonly objects: FileReader;
  readonly previews: PreviewStore;
  readonly shrink: ImageShrinker;
  readonly logger: Logger;
  readonly now: Clock;
};

export type Preview = {
  readonly bytes: Uint8Array;
  /** How long a browser may keep it: as long as the file, which never changes, but at most a year. */
  readonly seconds: number;
};

/** Kept images never end, and caches ignore longer times. */
const LONGEST_CACHE_SECONDS = 365 * 24 * 60 * 60;

/** A small version of a file, made when it is first looked at, because most images never are. */
export const previewImage = async (
  dependencies: Dependencies,
  account: string,
  id: string,
): Promise<Preview> => {
  const { previews, now } = dependencies;
  const file = await findFile(dependencies, account, id);
  const bytes = (await previews.find(file)) ?? (await makePreview(dependencies, { account, id }));
  if (bytes.length === 0)
    throw new DomainError('invalid_image', `File ${id} has no preview: it cannot be decoded.`, {
      param: 'file_id',
    });
  const seconds = Math.floor((file.expiresAt - now()) / 1000);
  return { bytes, seconds: Math.min(seconds, LONGEST_CACHE_SECONDS) };
};

/** Also stores that an image cannot be decoded, so that it takes no time again. */
const makePreview = async (
  { objects, shrink, previews, logger }: Dependencies,
  file: { readonly account: string; readonly id: string },
): Promise<Uint8Array> => {
  const given = await readBytes(await objects.openFile(file), file.id);
  const bytes = await shrink(given).catch((error: unknown) => {
    if (!(error instanceof UnreadableImage)) throw error;
    logger.info('image not decoded', { file: file.id, reason: error.message });
    return new Uint8Array(0);
  });
  await previews.put(file, bytes).catch((error: unknown) => {
    logger.error('preview not stored', error, { file: file.id });
  });
  return bytes;
};

const readBytes = async (file: OpenedFile | undefined, id: string): Promise<Uint8Array> => {
  if (file !== undefined && file.bytes > 0) return file.read();
  file?.close();
  throw new DomainError('file_not_ready', `File ${id} has not arrived: send its bytes to upload.url first.`, {
    param: 'file_id',
  });
};
