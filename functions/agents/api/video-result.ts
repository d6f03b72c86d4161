import type { Charge } from '../../billing/domain/charges.ts';
import { pixelSize } from '../../catalogue/domain/models.ts';
import { SECOND, SIGNED_URL_SECONDS } from '../../platform/domain/durations.ts';
import type { Task, TaskStatus } from '../../videos/domain/task.ts';
import { type Content, lastingLinks, quoteError, quoteText } from '../domain/tools.ts';
import type { Result } from './tool-results.ts';

export const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
export const linkEnd = (now: number): string => toTime(now + SIGNED_URL_SECONDS * SECOND);

const PROGRESS = { queued: 0, in_progress: 50, completed: 100, failed: 100 } as const satisfies Record<
  TaskStatus,
  number
>;

const nextStep = ({ id, status }: Task, isReady: boolean, hasShares: boolean): string => {
  if (status === 'failed') return 'The video failed and costs nothing. Tell the user why.';
  if (status !== 'completed')
    return `Call get_video with video_id ${id} and wait_seconds 40 until it is completed or failed.`;
  return isReady
    ? `Give the user the url, which works for 5 minutes${lastingLinks(hasShares, 'a lasting link')}.`
    : 'The file has expired and was removed.';
};

type Shown = {
  readonly url: string | undefined;
  readonly charge: Charge;
  readonly now: number;
  readonly hasShares: boolean;
};

export const describeVideo = (task: Task, { url, charge, now, hasShares }: Shown): Result<'get_video'> => {
  const { id, status, request, error, expiresAt } = task;
  const hasPrice = charge.amount !== null && charge.currency !== null && status !== 'failed';
  return {
    video_id: id,
    status,
    model: request.model,
    seconds: request.seconds,
    size: pixelSize(request.resolution, request.aspectRatio),
    progress: PROGRESS[status],
    ...(hasPrice ? { price: charge.amount ?? '', currency: charge.currency ?? '' } : {}),
    ...(error === undefined ? {} : { error: quoteError(error.code, error.message) }),
    ...(url === undefined ? {} : { url, url_expires_at: linkEnd(now) }),
    ...(expiresAt === undefined ? {} : { expires_at: toTime(expiresAt) }),
    next_step: nextStep(task, url !== undefined, hasShares),
  };
};

/** Some clients show the link; others ignore it. */
export const videoContent = ({ id, file }: Task, url: string | undefined): readonly Content[] =>
  url === undefined || file === undefined
    ? []
    : [{ type: 'resource_link', uri: url, name: `${id}.mp4`, mimeType: 'video/mp4', size: file.bytes }];

type ListedVideo = Result<'list_videos'>['videos'][number];

export const listedVideo = ({ id, status, request, createdAt }: Task): ListedVideo => ({
  video_id: id,
  status,
  model: request.model,
  prompt: quoteText(request.prompt),
  created_at: toTime(createdAt),
});
