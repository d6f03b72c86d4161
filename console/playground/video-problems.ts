import { MAX_PROMPT_CHARACTERS, MAX_SEED } from '../../functions/platform/domain/models.ts';
import { formatNumber } from '../parts/format.ts';
import { texts } from '../texts/first.ts';
import { rolesOf, type VideoFiles } from './video-fields.ts';
import { isPromptTooLong, isSeed, type VideoForm } from './video-form.ts';

export type VideoProblems = Readonly<Partial<Record<'prompt' | 'seed' | 'images', string>>>;

const imageProblem = (form: VideoForm, files: VideoFiles): string | undefined => {
  const missing = rolesOf(form).find((role) => files[role].length === 0);
  return missing === undefined ? undefined : texts.form.imageMissing(texts.roles[missing]);
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
