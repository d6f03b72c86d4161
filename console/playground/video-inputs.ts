import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { ApiError } from '../api/errors.ts';
import { send } from '../api/request.ts';
import { inputPath } from '../api/videos.ts';
import { notify } from '../shell/notices.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import type { VideoFiles } from './video-form.ts';

/** An image that the page shows may be cached without the headers that let a script read it. */
export const NOT_CACHED = { cache: 'no-store' } as const;

const ROLES = { first_frame: 'first', last_frame: 'last', reference: 'references' } as const;

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

/** Undefined if the image has expired or was deleted. */
const fetchInput = async (id: string, index: number): Promise<File | undefined> => {
  try {
    const blob = await (await send(inputPath(id, index), NOT_CACHED)).blob();
    const extension = blob.type.slice('image/'.length);
    return new File([blob], `${texts.form.inputName(index + 1)}.${extension}`, { type: blob.type });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
};

/** The input images of a task, which are kept as long as the task. */
export const loadInputs = async ({ id, request }: VideoObject): Promise<VideoFiles> => {
  const files: Record<keyof VideoFiles, File[]> = { first: [], last: [], references: [] };
  let isComplete = true;
  for (const [index, { role }] of (request?.inputs ?? []).entries()) {
    const file = await fetchInput(id, index);
    if (file === undefined) isComplete = false;
    else files[ROLES[role]].push(file);
  }
  if (!isComplete) notify(texts.form.inputsGone);
  return files;
};
