import type { FileRepository } from '../../files/domain/files.ts';
import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import { readableFileName } from '../../platform/domain/file-names.ts';
import { isTaskId, timeOfTaskId } from '../../platform/domain/ids.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { LinkMethod, VideoLinks } from '../domain/media.ts';
import {
  isDeleted,
  type PageQuery,
  type StoredInput,
  type Task,
  type TaskPage,
  type TaskPages,
  type TaskRepository,
  type VideoFile,
} from '../domain/task.ts';

/** Does not distinguish a task of another account, a deleted task and one that never existed. */
export const findOwned = async (
  tasks: Pick<TaskRepository, 'find'>,
  account: string,
  id: string,
  param = 'task_id',
): Promise<Task> => {
  const task = isTaskId(id) ? await tasks.find(id) : undefined;
  if (task === undefined || task.account !== account || isDeleted(task)) throw notFound('Video', id, param);
  return task;
};

/** Most ids contain their creation time; the others are looked up. */
const findPosition = async (
  tasks: Pick<TaskRepository, 'position'>,
  account: string,
  id: string,
): Promise<NonNullable<PageQuery['after']>> => {
  const time = timeOfTaskId(id);
  if (time !== undefined) return { id, createdAt: time };
  const position = await tasks.position(id);
  if (position?.account !== account) throw invalidField('after', 'after names a video that was not found.');
  return { id, createdAt: position.createdAt };
};

export const listVideos = async (
  tasks: Pick<TaskRepository, 'position'> & TaskPages,
  account: string,
  { after, ...query }: Omit<PageQuery, 'after'> & { readonly after: string | undefined },
): Promise<TaskPage> =>
  tasks.page(account, {
    ...query,
    after: after === undefined ? undefined : await findPosition(tasks, account, after),
  });

type Dependencies = {
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly links: VideoLinks;
  readonly now: Clock;
};

/** The end of the file; throws if there is none that could be kept or shared. */
export const requireFile = (task: Task, now: number, use: 'keep' | 'share', param: string): number => {
  const { id, status, file, expiresAt } = task;
  if (status === 'failed')
    throw new DomainError('video_failed', `Video ${id} failed: there is nothing to ${use}.`, { param });
  if (file === undefined || expiresAt === undefined)
    throw new DomainError('video_not_ready', `Video ${id} is ${status}; ${use} it once it is completed.`, {
      param,
    });
  if (now >= expiresAt)
    throw new DomainError('video_expired', `The file of video ${id} has expired and was removed.`, { param });
  return expiresAt;
};

/** The file of a video; throws the reason if there is none. */
export const downloadableFile = ({ id, status, error, file, expiresAt }: Task, now: number): VideoFile => {
  if (status === 'failed')
    throw new DomainError('video_failed', `Video ${id} failed: ${error?.message ?? 'unknown reason'}`);
  if (file === undefined)
    throw new DomainError('video_not_ready', `Video ${id} is ${status}; download it once it is completed.`);
  if (expiresAt !== undefined && now >= expiresAt)
    throw new DomainError('video_expired', `The file of video ${id} has expired and was removed.`);
  return file;
};

export const linkVideo = async (
  { tasks, links, now }: Dependencies,
  account: string,
  id: string,
  method: LinkMethod = 'GET',
): Promise<string> => {
  const task = await findOwned(tasks, account, id);
  return links.sign(downloadableFile(task, now()).key, videoFileName(task), method);
};

/** Such as `paper-boat-8s-1080p.mp4`. */
const videoFileName = ({ id, name, request: { prompt, seconds, resolution } }: Task): string =>
  readableFileName(name ?? prompt, { id, facts: [`${seconds}s`, resolution], extension: 'mp4' });

const INPUT_INDEX = /^\d$/;

/** An input that is a file of the account lives as long as the file, the others as long as a video that nobody keeps. */
const isStored = async (
  { files, now }: Pick<InputDependencies, 'files' | 'now'>,
  { fileId }: StoredInput,
  { account, expiresAt, inputsExpireAt = expiresAt }: Task,
): Promise<boolean> => {
  if (fileId === undefined) return inputsExpireAt === undefined || now() < inputsExpireAt;
  const file = await files.find(account, fileId);
  return file !== undefined && now() < file.expiresAt;
};

type InputDependencies = Dependencies & { readonly files: Pick<FileRepository, 'find'> };

type InputPlace = { readonly id: string; readonly index: string; readonly method?: LinkMethod };

export const linkInput = async (
  dependencies: InputDependencies,
  account: string,
  { id, index, method = 'GET' }: InputPlace,
): Promise<string> => {
  const { tasks, links } = dependencies;
  const task = await findOwned(tasks, account, id);
  const { length } = task.request.inputs;
  const input = INPUT_INDEX.test(index) ? task.request.inputs[Number(index)] : undefined;
  if (input === undefined)
    throw new DomainError(
      'file_not_found',
      length === 0
        ? `Video ${id} has no input images.`
        : `index must be a whole number from 0 to ${length - 1}.`,
      { param: 'index' },
    );
  if (!(await isStored(dependencies, input, task)))
    throw new DomainError(
      'file_not_found',
      `Input image ${index} of video ${id} has expired or was deleted.`,
      {
        param: 'index',
      },
    );
  const extension = input.mimeType.slice('image/'.length);
  return links.sign(input.key, `${id}-${index}.${extension}`, method, input.mimeType);
};
