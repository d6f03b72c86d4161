import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { fileContentUrl } from '../api/images.ts';
import { send } from '../api/request.ts';
import { PREFIX } from '../environment.ts';
import { IMAGE_DRAFT, NO_INPUTS } from '../images/image-form.ts';
import { readDraft, saveDraft, saveDraftFiles } from '../playground/drafts.ts';
import {
  NO_FILES,
  readVideoForm,
  toVideoForm,
  VIDEO_DRAFT,
  type VideoFiles,
  type VideoForm,
} from '../playground/video-form.ts';
import { loadInputs, NOT_CACHED } from '../playground/video-inputs.ts';
import { toImageForm } from './image-options.ts';

/** Prepares the playgrounds: with the options and images of an item, or with an item as an input. */

const saveVideoDraft = async (form: VideoForm, files: VideoFiles): Promise<void> => {
  saveDraft(VIDEO_DRAFT, form);
  await saveDraftFiles(VIDEO_DRAFT, files);
};

/** The form and the input images of a task. */
export const prepareVideoAgain = async (video: VideoObject): Promise<void> =>
  saveVideoDraft(toVideoForm(video), await loadInputs(video));

/** The service keeps no inputs of images. */
export const prepareImageAgain = async (image: FileObject): Promise<void> => {
  saveDraft(IMAGE_DRAFT, toImageForm(image));
  await saveDraftFiles(IMAGE_DRAFT, NO_INPUTS);
};

type ImageMode = 'first_frame' | 'references';

/** Keeps the other options of the playground, and its prompt if it has one. */
export const prepareFileAs = async (file: File, imagePrompt: string, mode: ImageMode): Promise<void> => {
  const files = mode === 'first_frame' ? { ...NO_FILES, first: [file] } : { ...NO_FILES, references: [file] };
  const form = readDraft(VIDEO_DRAFT, readVideoForm);
  const prompt = form.prompt === '' ? imagePrompt : form.prompt;
  await saveVideoDraft({ ...form, mode, prompt }, files);
};

export const prepareImageAs = async (image: FileObject, mode: ImageMode): Promise<void> => {
  const blob = await (await send(fileContentUrl(image.id).slice(PREFIX.length), NOT_CACHED)).blob();
  await prepareFileAs(new File([blob], image.filename, { type: blob.type }), image.prompt ?? '', mode);
};

/** The next video starts where this one ends, with the same options. */
export const continueVideo = async (video: VideoObject, frame: File): Promise<void> => {
  const form = { ...toVideoForm(video), mode: 'first_frame' } as const;
  await saveVideoDraft(form, { ...NO_FILES, first: [frame] });
};
