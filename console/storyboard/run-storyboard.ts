import { useEffect, useState } from 'preact/hooks';
import { toError, withRetries } from '../api/errors.ts';
import { withImages } from '../api/image-files.ts';
import { createStore } from '../api/query.ts';
import { createVideo, isUnfinished, rememberVideo, videos } from '../api/videos.ts';
import { captureLastFrame } from '../parts/item-image.ts';
import { readDraft, readDraftFiles, saveDraft } from '../playground/drafts.ts';
import { fileFields, NO_FILES, toFormData } from '../playground/video-form.ts';
import type { VideoOffer } from '../playground/video-offer.ts';
import { notify } from '../session/notices.ts';
import { currentTab } from '../session/storage.ts';
import { texts } from '../texts/texts.ts';
import {
  effectiveStart,
  lastFrames,
  previousShot,
  readStoryboard,
  type Shot,
  type ShotFiles,
  type ShotState,
  type Storyboard,
  shotState,
  startable,
  toForm,
} from './shots.ts';

/** Keeps the storyboard of this tab, and generates its shots, also while another page of the console is open. */

export const STORYBOARD_DRAFT = 'storyboard-draft';
const POLL_MS = 3000;

const store = createStore<Storyboard | undefined>(undefined);

/** A new storyboard has only what the deployment offers. */
const current = (offer?: VideoOffer): Storyboard => {
  const board = store.get() ?? readDraft(STORYBOARD_DRAFT, (stored) => readStoryboard(stored, offer));
  if (store.get() === undefined) store.set(board);
  return board;
};

const save = (board: Storyboard): void => {
  saveDraft(STORYBOARD_DRAFT, board);
  store.set(board);
};

export const changeBoard = (change: Partial<Storyboard>): void => save({ ...current(), ...change });

export const changeShot = (id: string, change: Partial<Shot>): void =>
  changeBoard({ shots: current().shots.map((shot) => (shot.id === id ? { ...shot, ...change } : shot)) });

/** A new version of the shot, which is not generated yet. */
export const clearShot = (id: string): void =>
  changeBoard({
    shots: current().shots.map((shot) => {
      const { key: _key, taskId: _task, isSkipped: _skipped, ...rest } = shot;
      return shot.id === id ? rest : shot;
    }),
  });

export const shotVideo = ({ taskId }: Shot) =>
  taskId === undefined ? undefined : videos.entry(taskId).snapshot().data;

export const allStates = (): readonly ShotState[] =>
  current().shots.map((shot) => shotState(shot, shotVideo(shot)));

/** A copy of the draft in another tab generates nothing. */
export const isRunning = (): boolean => current().tab === currentTab();

const firstFrames = async (index: number, files: ShotFiles): Promise<readonly File[]> => {
  const { shots } = current();
  const start = effectiveStart(shots, index);
  if (start === 'image') return files[shots[index]?.id ?? '']?.first ?? [];
  const previous = start === 'continue' ? previousShot(shots, index) : undefined;
  return previous?.taskId === undefined ? [] : [await captureLastFrame(previous.taskId)];
};

const startShot = async (index: number, files: ShotFiles): Promise<void> => {
  const shot = current().shots[index];
  if (shot?.key === undefined) return;
  const { key } = shot;
  const last = lastFrames(files, current().shots, index);
  const form = toForm(current(), index, last.length > 0);
  const fields = fileFields(form, { ...NO_FILES, first: await firstFrames(index, files), last });
  const video = await withImages(
    fields.map(([, file]) => file),
    (images) => {
      const named = images.map((image, at) => [fields[at]?.[0] ?? '', image] as const);
      return withRetries(() => createVideo(toFormData(form, named), key));
    },
  );
  rememberVideo(video);
  changeShot(shot.id, { taskId: video.id });
};

/** Undefined removes the tab, and with it the permission to start anything. */
const stop = (problem?: Storyboard['problem']): void => {
  const { tab: _tab, problem: _problem, ...rest } = current();
  save(problem === undefined ? rest : { ...rest, problem });
};

const refresh = async (): Promise<void> => {
  const unknown = current().shots.flatMap(({ taskId }) => {
    const video = taskId === undefined ? undefined : videos.entry(taskId).snapshot().data;
    return taskId !== undefined && (video === undefined || isUnfinished(video)) ? [taskId] : [];
  });
  await Promise.all(unknown.map((id) => videos.entry(id).fetch()));
  store.set(current());
};

/** Starts the shots that can start, one after the other. False if one was not accepted. */
const startAll = async (): Promise<boolean> => {
  const files = await readDraftFiles<ShotFiles>(STORYBOARD_DRAFT, {});
  for (const index of startable(current().shots, allStates())) {
    if (!isRunning()) return false;
    try {
      await startShot(index, files);
    } catch (error) {
      stop({ shotId: current().shots[index]?.id ?? '', message: toError(error).message });
      return false;
    }
  }
  return true;
};

let isAdvancing = false;

const advance = async (): Promise<void> => {
  if (isAdvancing || !isRunning()) return;
  isAdvancing = true;
  try {
    await refresh();
    const states = allStates();
    if (states.includes('failed')) {
      stop();
      notify(texts.storyboard.stopped, 'bad', { link: LINK });
    } else if (states.every((state) => state === 'completed' || state === 'skipped')) {
      stop();
      notify(texts.storyboard.ready, 'good', { link: LINK });
    } else if (await startAll()) setTimeout(advance, POLL_MS);
  } finally {
    isAdvancing = false;
  }
};

const LINK = { href: '/playground/storyboard', label: texts.recent.show } as const;

/** The keys are stored before the first request. */
export const generate = (): void => {
  const shots = current().shots.map((shot) =>
    shot.taskId === undefined ? { ...shot, key: shot.key ?? crypto.randomUUID() } : shot,
  );
  const { problem: _problem, ...rest } = current();
  save({ ...rest, shots, tab: currentTab() });
  void advance();
};

/** Requests that were accepted go on; nothing else starts. */
export const pause = (): void => stop();

/** Follows the storyboard, and continues it after a reload. */
export const useStoryboard = (offer: VideoOffer): Storyboard => {
  const [, rerender] = useState({});
  useEffect(() => {
    const stop = store.subscribe(() => rerender({}));
    void refresh();
    void advance();
    // Accepted shots go on after a stop.
    const timer = setInterval(() => {
      if (!isRunning() && allStates().includes('running')) void refresh();
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return current(offer);
};
