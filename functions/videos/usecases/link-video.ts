import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, LinkMethod, TaskRepository, VideoLinks } from '../../platform/domain/ports.ts';
import { findOwned } from './find-owned.ts';

type Dependencies = { readonly tasks: TaskRepository; readonly links: VideoLinks; readonly now: Clock };

/** The address from which a completed video can be downloaded now. */
export const linkVideo = async (
  { tasks, links, now }: Dependencies,
  account: string,
  id: string,
  method: LinkMethod = 'GET',
): Promise<string> => {
  const task = await findOwned(tasks, account, id);
  if (task.status === 'failed')
    throw new DomainError(
      'video_failed',
      `Video ${id} failed: ${task.error?.message ?? 'no reason is known'}`,
    );
  if (task.file === undefined)
    throw new DomainError(
      'video_not_ready',
      `Video ${id} is ${task.status}; download it once it is completed.`,
    );
  if (task.expiresAt !== undefined && now() >= task.expiresAt)
    throw new DomainError('video_expired', `The file of video ${id} has expired and is gone.`);
  return links.sign(task.file.key, `${id}.mp4`, method);
};
