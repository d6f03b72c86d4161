import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { readFile, unlessGone } from '../api/images.ts';
import { inputPath } from '../api/videos.ts';
import type { DraggedItem } from '../parts/dragged-item.ts';
import { captureLastFrame, loadItemImage, toFile } from '../parts/item-image.ts';
import { readDraft, readDraftFiles, saveDraft, saveDraftFiles } from '../playground/drafts.ts';
import { IMAGE_DRAFT, NO_INPUTS, toImageForm } from '../playground/image-form.ts';
import {
  NO_FILES,
  readVideoForm,
  toVideoForm,
  VIDEO_DRAFT,
  type VideoFiles,
  type VideoForm,
} from '../playground/video-form.ts';
import { notify } from '../session/notices.ts';
import { texts } from '../texts/texts.ts';

/** Prepares the playgrounds: with the options and images of an item, or with an item as an input. */

/** The place of each kind of input in the form. */
const INPUT_ROLES = { first_frame: 'first', last_frame: 'last', reference: 'references' } as const;

const fetchInput = async (id: string, index: number): Promise<File | undefined> => {
  const response = await unlessGone(() => readFile(inputPath(id, index)));
  return response && toFile(await response.blob(), texts.form.inputName(index + 1));
};

export const loadInputs = async ({ id, request }: VideoObject): Promise<VideoFiles> => {
  const files: Record<keyof VideoFiles, File[]> = { first: [], last: [], references: [] };
  let isComplete = true;
  for (const [index, { role }] of (request?.inputs ?? []).entries()) {
    const file = await fetchInput(id, index);
    if (file === undefined) isComplete = false;
    else files[INPUT_ROLES[role]].push(file);
  }
  if (!isComplete) notify(texts.form.inputsGone);
  return files;
};

const saveVideoDraft = async (form: Partial<VideoForm>, files: VideoFiles): Promise<void> => {
  saveDraft(VIDEO_DRAFT, form);
  await saveDraftFiles(VIDEO_DRAFT, files);
};

export const prepareVideoAgain = async (video: VideoObject): Promise<void> =>
  saveVideoDraft(toVideoForm(video), await loadInputs(video));

/** The service keeps no inputs of images. */
export const prepareImageAgain = async (image: FileObject): Promise<void> => {
  saveDraft(IMAGE_DRAFT, toImageForm(image));
  await saveDraftFiles(IMAGE_DRAFT, NO_INPUTS);
};

/** The places of images in the video playground. */
export const FRAME_ROLES = ['first', 'last', 'references'] as const;
export type FrameRole = (typeof FRAME_ROLES)[number];

const MODES = { first: 'first_frame', last: 'first_and_last_frame', references: 'references' } as const;

/** Keeps the other options of the playground, its prompt if it has one, and a first frame beside the last one. */
export const prepareFileAs = async (file: File, imagePrompt: string, role: FrameRole): Promise<void> => {
  const first = role === 'last' ? (await readDraftFiles(VIDEO_DRAFT, NO_FILES)).first : [];
  const stored = readDraft(VIDEO_DRAFT, (fields) => fields);
  const { prompt } = readVideoForm(stored);
  // The playground chooses the options that are not stored yet among those that are offered.
  await saveVideoDraft(
    { ...stored, mode: MODES[role], prompt: prompt === '' ? imagePrompt : prompt },
    { ...NO_FILES, first, [role]: [file] },
  );
};

export const prepareItemAs = async (item: DraggedItem, role: FrameRole, prompt = ''): Promise<void> =>
  prepareFileAs(await loadItemImage(item), prompt, role);

/** The next video starts where this one ends, with the same options. */
export const continuation = async (video: VideoObject) => ({
  // With its seed, later prompts would all give similar videos.
  form: { ...toVideoForm(video), mode: 'first_frame', seed: '' } as const,
  files: { ...NO_FILES, first: [await captureLastFrame(video.id)] },
});

export const continueVideo = async (video: VideoObject): Promise<void> => {
  const { form, files } = await continuation(video);
  await saveVideoDraft(form, files);
};
