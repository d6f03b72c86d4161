import { checkImage } from '../../functions/platform/domain/input-image.ts';
import { texts } from '../texts.ts';

export type CheckedFiles = { readonly accepted: readonly File[]; readonly problems: readonly string[] };

/** The server's own check of an image, so that both refuse the same files in the same words. */
export const checkFiles = async (files: readonly File[]): Promise<CheckedFiles> => {
  const accepted: File[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      // The type that the browser guesses from the name says nothing: the bytes decide.
      const image = checkImage(new Uint8Array(await file.arrayBuffer()));
      if (typeof image === 'string') problems.push(texts.form.imageProblem(file.name, image));
      else accepted.push(new File([file], file.name, { type: image.mimeType }));
    } catch (error) {
      problems.push(
        texts.form.imageProblem(file.name, error instanceof Error ? error.message : String(error)),
      );
    }
  }
  return { accepted, problems };
};
