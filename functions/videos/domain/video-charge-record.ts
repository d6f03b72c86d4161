import type { Charge, ChargeRecord } from '../../billing/domain/charges.ts';
import { storageName } from './media.ts';
import type { Task } from './task.ts';

/** The record's id is the task's storage name, so that writing it again changes nothing. */
export const videoChargeRecord = (task: Task, charge: Charge, completedAt: number): ChargeRecord => ({
  ...charge,
  kind: 'video',
  id: storageName(task),
  account: task.account,
  keyId: task.keyId,
  personId: task.personId,
  taskId: task.id,
  upstream: task.upstream?.name ?? '',
  upstreamModel: task.upstream?.substitute,
  upstreamCost: task.upstreamCost,
  model: task.request.model,
  resolution: task.request.resolution,
  time: completedAt,
});
