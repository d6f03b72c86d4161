import type { VideoModel } from '../../platform/domain/models.ts';
import type { Task, TaskStatus } from './task.ts';

/** Which tasks of an account a list shows; what is undefined shows all. Times are milliseconds. */
export type TaskFilter = {
  readonly status: TaskStatus | undefined;
  readonly model: VideoModel | undefined;
  readonly keyId: string | undefined;
  readonly createdFrom: number | undefined;
  readonly createdBefore: number | undefined;
};

/** Whether a task has what the filter asks for; its time is a matter of where the list begins and ends. */
export const matches = ({ status, request, keyId }: Task, filter: TaskFilter): boolean =>
  (filter.status === undefined || filter.status === status) &&
  (filter.model === undefined || filter.model === request.model) &&
  (filter.keyId === undefined || filter.keyId === keyId);
