import {
  checkImage,
  type GivenImage,
  type InputImage,
  isFileReference,
  isRemoteImage,
  lengthProblem,
} from '../../catalogue/domain/input-image.ts';
import { type RemoteImages, remoteAddresses } from '../../catalogue/domain/remote-image.ts';
import {
  type FileAccess,
  MAX_INPUT_FILES,
  type OpenedFile,
  openOwnFile,
  wrongFile,
} from '../../files/domain/files.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import {
  type GivenImagePart,
  type GivenImageRequest,
  givenImages,
  type ImagePart,
  type ImageRequest,
} from '../../upstream/domain/image-request.ts';
import { requireSendable } from '../../upstream/domain/request-size.ts';

type Access = FileAccess & { readonly requestMegabytes: number; readonly remoteImages: RemoteImages };
type LoadedImages = ReadonlyMap<string, InputImage>;
type OpenedFiles = ReadonlyMap<string, OpenedFile>;

const referencedFileId = ({ content }: GivenImagePart): string | undefined =>
  content.kind === 'image' && isFileReference(content.image) ? content.image.fileId : undefined;

/** Checks the sizes before any file is read. */
const requireFit = (
  { fieldName, requestMegabytes }: Access,
  { systemInstruction, turns }: GivenImageRequest,
  files: OpenedFiles,
  remote: LoadedImages,
): void => {
  for (const [fileId, { bytes }] of files) {
    const problem = lengthProblem(bytes);
    if (problem !== undefined) throw wrongFile(fieldName(fileId), problem);
  }
  const [first] = files.keys();
  const parts = turns.flatMap((turn) => turn.parts);
  const content = {
    texts: [
      systemInstruction,
      ...parts.flatMap((part) => [
        part.signature,
        part.content.kind === 'text' ? part.content.text : undefined,
      ]),
    ],
    images: parts.map(({ content }) => {
      if (content.kind === 'text') return 0;
      const { image } = content;
      if (isFileReference(image)) return files.get(image.fileId)?.bytes ?? 0;
      return isRemoteImage(image) ? (remote.get(image.address)?.bytes.length ?? 0) : image.bytes.length;
    }),
    param: first === undefined ? undefined : fieldName(first),
  };
  requireSendable(content, requestMegabytes);
};

/** Opens all files or none: if one is not found, or if they do not fit, the others are closed. */
const openAll = async (
  access: Access,
  fileIds: readonly string[],
  check: (files: OpenedFiles) => void,
): Promise<OpenedFiles> => {
  const opening = fileIds.map(async (fileId) => [fileId, await openOwnFile(access, fileId)] as const);
  const settled = await Promise.allSettled(opening);
  try {
    const files = new Map(await Promise.all(opening));
    check(files);
    return files;
  } catch (error) {
    for (const result of settled) if (result.status === 'fulfilled') result.value[1].close();
    throw error;
  }
};

const readAll = async ({ fieldName }: Access, files: OpenedFiles): Promise<LoadedImages> => {
  const read = async ([fileId, file]: readonly [string, OpenedFile]) => {
    const image = checkImage(await file.read());
    if (typeof image === 'string') throw wrongFile(fieldName(fileId), image);
    return [fileId, image] as const;
  };
  return new Map(await Promise.all(Array.from(files, read)));
};

const findImage = (image: GivenImage, loaded: LoadedImages): InputImage | undefined => {
  if (isFileReference(image)) return loaded.get(image.fileId);
  return isRemoteImage(image) ? loaded.get(image.address) : image;
};

const withImage = (part: GivenImagePart, loaded: LoadedImages): ImagePart => {
  const { content, signature } = part;
  if (content.kind === 'text') return { content, signature };
  const image = findImage(content.image, loaded);
  if (image === undefined) throw new Error('an image was not loaded');
  return { content: { kind: 'image', image }, signature };
};

/** Replaces files and addresses with their bytes, if the whole request is small enough for the upstream. */
export const loadImages = async (access: Access, request: GivenImageRequest): Promise<ImageRequest> => {
  const parts = request.turns.flatMap((turn) => turn.parts);
  const fileIds = Array.from(new Set(parts.flatMap((part) => referencedFileId(part) ?? [])));
  const [first = ''] = fileIds;
  if (fileIds.length > MAX_INPUT_FILES)
    throw invalidField(
      access.fieldName(first),
      `At most ${MAX_INPUT_FILES} files are accepted in a request, but ${fileIds.length} were named.`,
    );
  const addresses = remoteAddresses(givenImages(request));
  const remote = await access.remoteImages.load(addresses, access.fieldName);
  const files = await openAll(access, fileIds, (opened) => requireFit(access, request, opened, remote));
  const images = new Map([...remote, ...(await readAll(access, files))]);
  return {
    ...request,
    turns: request.turns.map((turn) => ({
      ...turn,
      parts: turn.parts.map((part) => withImage(part, images)),
    })),
  };
};
