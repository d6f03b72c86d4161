import { type FileReader, type FileRepository, isFileId, type OpenedFile } from '../../files/domain/files.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { type ImageShrinker, UnreadableImage } from '../domain/image-conversion.ts';

type Dependencies = {
  readonly files: Pick<FileRepository, 'find'>;
  readonly objects: FileReader;
  readonly shrink: ImageShrinker;
  readonly now: Clock;
};

export type Preview = {
  readonly bytes: Uint8Array;
  /** How long a browser may keep it: as long as the file, which never changes. */
  readonly seconds: number;
};

/** A small version of a file. It is made on demand, because most images are never looked at in a list. */
export const previewImage = async (
  { files, objects, shrink, now }: Dependencies,
  account: string,
  id: string,
): Promise<Preview> => {
  const file = isFileId(id) ? await files.find(account, id) : undefined;
  if (file === undefined || now() >= file.expiresAt)
    throw new DomainError('file_not_found', `File ${id.slice(0, 64)} was not found.`, { param: 'file_id' });
  const bytes = await readBytes(await objects.openFile({ account, id }), id);
  try {
    return { bytes: await shrink(bytes), seconds: Math.floor((file.expiresAt - now()) / 1000) };
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    throw new DomainError('invalid_image', `File ${id} has no preview: it cannot be decoded.`, {
      param: 'file_id',
      cause: error,
    });
  }
};

const readBytes = async (file: OpenedFile | undefined, id: string): Promise<Uint8Array> => {
  if (file !== undefined && file.bytes > 0) return file.read();
  file?.close();
  throw new DomainError('file_not_ready', `File ${id} has not arrived: send its bytes to upload.url first.`, {
    param: 'file_id',
  });
};
