import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import {
  actualSeconds,
  EMPTY_VIDEO_FORM,
  modelOptions,
  readVideoForm,
  type VideoFiles,
  type VideoForm,
} from '../playground/video-form.ts';
import type { VideoOffer } from '../playground/video-offer.ts';

/** A strip of shots that are generated one after the other and played as one sequence. */

export const STARTS = ['text', 'continue', 'image'] as const;
export type Start = (typeof STARTS)[number];

export type Shot = {
  readonly id: string;
  readonly prompt: string;
  readonly seconds: number;
  /** Where it starts: from the prompt alone, where the previous shot ends, or from an image. */
  readonly start: Start;
  /** The idempotency key of its request, so that a reload does not pay twice. */
  readonly key?: string;
  readonly taskId?: string;
  /** Left out of the sequence after a failure. */
  readonly isSkipped?: boolean;
};

export type Storyboard = Pick<VideoForm, 'model' | 'resolution' | 'aspectRatio'> & {
  readonly shots: readonly Shot[];
  /** The tab that generates the shots; undefined if none does. */
  readonly tab?: string;
  /** Why a shot was not accepted. */
  readonly problem?: { readonly shotId: string; readonly message: string };
};

/** The images of the shots, by their ids. */
export type ShotFiles = Readonly<Record<string, Pick<VideoFiles, 'first' | 'last'>>>;

export const MAX_SHOTS = 20;

export const newShot = (start: Start, seconds: number): Shot => ({
  id: crypto.randomUUID(),
  prompt: '',
  seconds,
  start,
});

/** The mode of the request, unless the shot has a last frame, too. */
const MODES = { text: 'text', continue: 'first_frame', image: 'first_frame' } as const;

/** The starts that the deployment does not offer for this shot, and why. */
export const limitStarts = (offer: VideoOffer, form: VideoForm) => {
  const { disabled, reason } = offer.limit(form, 'mode', ['text', 'first_frame']);
  return { disabled: STARTS.filter((start) => disabled.includes(MODES[start])), reason };
};

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const readShot = (value: unknown): readonly Shot[] => {
  const { id, prompt, seconds, start, key, taskId, isSkipped } = Object(value);
  if (typeof id !== 'string') return [];
  return [
    {
      id,
      prompt: readText(prompt) ?? '',
      seconds: Number(seconds) || EMPTY_VIDEO_FORM.seconds,
      start: STARTS.find((name) => name === start) ?? 'text',
      ...(typeof key === 'string' ? { key } : {}),
      ...(typeof taskId === 'string' ? { taskId } : {}),
      ...(isSkipped === true ? { isSkipped } : {}),
    },
  ];
};

/** Two shots, of which the second one continues the first if the deployment offers it. */
const firstShots = (form: VideoForm, offer: VideoOffer | undefined): readonly Shot[] => {
  const { disabled = [] } = offer === undefined ? {} : limitStarts(offer, form);
  const allowed = (start: Start, otherwise: Start): Shot =>
    newShot(disabled.includes(start) ? otherwise : start, form.seconds);
  return [allowed('text', 'image'), allowed('continue', 'text')];
};

/** Replaces values that it does not know, perhaps from an older version. */
export const readStoryboard = (stored: Readonly<Record<string, unknown>>, offer?: VideoOffer): Storyboard => {
  const form = readVideoForm({ ...offer?.start(stored.model), ...stored });
  const { model, resolution, aspectRatio } = form;
  const shots = (Array.isArray(stored.shots) ? stored.shots : []).flatMap(readShot).slice(0, MAX_SHOTS);
  const tab = readText(stored.tab);
  return {
    model,
    resolution,
    aspectRatio,
    shots: shots.length === 0 ? firstShots(form, offer) : shots,
    ...(tab === undefined ? {} : { tab }),
  };
};

/** The shot whose last frame a continuation needs. */
export const previousShot = (shots: readonly Shot[], index: number): Shot | undefined =>
  shots.slice(0, Math.max(0, index)).findLast(({ isSkipped }) => isSkipped !== true);

/** A continuation of nothing starts from its prompt. */
export const effectiveStart = (shots: readonly Shot[], index: number): Start => {
  const start = shots[index]?.start ?? 'text';
  return start === 'continue' && previousShot(shots, index) === undefined ? 'text' : start;
};

export const toForm = (
  { model, resolution, aspectRatio, shots }: Storyboard,
  index: number,
  hasLast: boolean,
): VideoForm => {
  const { prompt = '', seconds } = shots[index] ?? {};
  const start = effectiveStart(shots, index);
  const mode = start !== 'text' && hasLast ? 'first_and_last_frame' : MODES[start];
  const form = {
    ...EMPTY_VIDEO_FORM,
    ...modelOptions(model, { mode, seconds, resolution, aspectRatio }),
    prompt,
  };
  return { ...form, seconds: actualSeconds(form) };
};

export const lastFrames = (files: ShotFiles, shots: readonly Shot[], index: number): readonly File[] =>
  effectiveStart(shots, index) === 'text' ? [] : (files[shots[index]?.id ?? '']?.last ?? []);

export type ShotState = 'draft' | 'running' | 'completed' | 'failed' | 'skipped';

/** By the task's status; a task that is not known yet counts as running. */
export const shotState = ({ taskId, isSkipped }: Shot, video: VideoObject | undefined): ShotState => {
  if (isSkipped === true) return 'skipped';
  if (taskId === undefined) return 'draft';
  if (video?.status === 'completed' || video?.status === 'failed') return video.status;
  return 'running';
};

/** The positions of shots that can start now: all but continuations whose previous shot is not completed. */
export const startable = (shots: readonly Shot[], states: readonly ShotState[]): readonly number[] => {
  if (states.includes('failed')) return [];
  return shots.flatMap((shot, index) => {
    if (states[index] !== 'draft') return [];
    const previous = shot.start === 'continue' ? previousShot(shots, index) : undefined;
    return previous === undefined || states[shots.indexOf(previous)] === 'completed' ? [index] : [];
  });
};

type Problem = { readonly index: number; readonly kind: 'prompt' | 'image' | 'offer' };

export const findProblem = (board: Storyboard, files: ShotFiles, offer: VideoOffer): Problem | undefined => {
  const { shots } = board;
  for (const [index, shot] of shots.entries()) {
    if (shot.isSkipped === true || shot.taskId !== undefined) continue;
    const form = toForm(board, index, lastFrames(files, shots, index).length > 0);
    if (!offer.accepts(form)) return { index, kind: 'offer' };
    if (shot.prompt.trim() === '') return { index, kind: 'prompt' };
    if (shot.start === 'image' && (files[shot.id]?.first.length ?? 0) === 0) return { index, kind: 'image' };
  }
  return undefined;
};
