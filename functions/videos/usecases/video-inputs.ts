import { createHash } from 'node:crypto';
import type { CheckedFiles } from '../../files/domain/check-files.ts';
import { type GivenImage, type InputImage, isFileReference } from '../../platform/domain/input-image.ts';
import { type InputRole, inputKey, type StoredInput, type Task } from '../domain/task.ts';
import type { VideoImages } from '../domain/video-request.ts';

/** An image with its part in the video: one that was sent, or one among the account's files. */
export type VideoInput =
  | { readonly role: InputRole; readonly image: InputImage; readonly hash: string }
  | { readonly role: InputRole; readonly fileId: string };

/** An input as the task names it, and the image that has yet to be stored under its key. */
export type PlacedInput = StoredInput & { readonly image: InputImage | undefined };

const rolesOf = (images: VideoImages): readonly (readonly [InputRole, GivenImage])[] => {
  switch (images.mode) {
    case 'text':
      return [];
    case 'first_frame':
      return [['first_frame', images.firstFrame]];
    case 'first_and_last_frame':
      return [
        ['first_frame', images.firstFrame],
        ['last_frame', images.lastFrame],
      ];
    case 'references':
      return images.references.map((image) => ['reference', image] as const);
  }
};

export const hash = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

export const inputsOf = (images: VideoImages): VideoInput[] =>
  rolesOf(images).map(([role, image]) =>
    isFileReference(image)
      ? { role, fileId: image.fileId }
      : { role, image, hash: hash(image.bytes).slice(0, 32) },
  );

export const fileIdsOf = (inputs: readonly VideoInput[]): string[] =>
  inputs.flatMap((input) => ('fileId' in input ? [input.fileId] : []));

export const lengthsOf = (inputs: readonly VideoInput[], files: CheckedFiles): number[] =>
  inputs.map((input) =>
    'fileId' in input ? (files.get(input.fileId)?.bytes ?? 0) : input.image.bytes.length,
  );

/** What tells an input from another: its content, or the file that it is. */
export const identityOf = (input: VideoInput) =>
  'fileId' in input ? input : { role: input.role, mimeType: input.image.mimeType, hash: input.hash };

/**
 * A file stays where it is. Any other input is stored under its content's hash, so that a repeated request cannot
 * change another's inputs.
 */
export const placeInputs = (
  task: Pick<Task, 'id' | 'createdAt'>,
  inputs: readonly VideoInput[],
  files: CheckedFiles,
): PlacedInput[] =>
  inputs.map((input, position) => {
    const { role } = input;
    if (!('fileId' in input)) {
      const { image } = input;
      return { role, key: inputKey(task, `${position}-${input.hash}`), mimeType: image.mimeType, image };
    }
    const file = files.get(input.fileId);
    if (file === undefined) throw new Error(`file ${input.fileId} was not checked`);
    return { role, key: file.key, mimeType: file.mimeType, image: undefined };
  });
