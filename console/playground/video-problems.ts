import { MAX_PROMPT_CHARACTERS, MAX_SEED } from '../../functions/domain/models.ts';
import { formatBytes, formatNumber } from '../parts/format.ts';
import { texts } from '../texts/first.ts';
import { fileFields, rolesOf, type VideoFiles } from './video-fields.ts';
import { isPromptTooLong, isSeed, type VideoForm } from './video-form.ts';

export type VideoProblems = Readonly<Partial<Record<'prompt' | 'seed' | 'images', string>>>;

/** What a multipart request can carry through the gateway and the function, with some room for its text. */
export const MAX_IMAGES_BYTES = 4_300_000;

const imageProblem = (form: VideoForm, files: VideoFiles): string | undefined => {
  const missing = rolesOf(form).find((role) => files[role].length === 0);
  if (missing !== undefined) return texts.form.imageMissing(texts.roles[missing]);
  const bytes = fileFields(form, files).reduce((sum, [, { size }]) => sum + size, 0);
  return bytes > MAX_IMAGES_BYTES ? texts.form.imagesTooLarge(formatBytes(bytes)) : undefined;
};

const promptProblem = (form: VideoForm): string | undefined => {
  if (form.prompt.trim() === '') return texts.form.promptMissing;
  return isPromptTooLong(form) ? texts.form.promptTooLong(formatNumber(MAX_PROMPT_CHARACTERS)) : undefined;
};

/** What the server would refuse, said before anything is sent. */
export const problemsOf = (form: VideoForm, files: VideoFiles): VideoProblems => {
  const prompt = promptProblem(form);
  const seed =
    form.seed === '' || isSeed(form.seed) ? undefined : texts.form.seedWrong(formatNumber(MAX_SEED));
  const images = imageProblem(form, files);
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(seed === undefined ? {} : { seed }),
    ...(images === undefined ? {} : { images }),
  };
};
