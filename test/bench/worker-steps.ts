import type { LocalCloud } from '../../lib/local/cloud.ts';
import type { InvocationRecord } from '../../lib/local/functions/invocation.ts';

/** Returns the worker's steps during `act`, whose processes are new: the first step includes loading. */
export const workerSteps = async (
  cloud: LocalCloud,
  act: () => Promise<unknown>,
): Promise<readonly InvocationRecord[]> => {
  const workerId = cloud.functionId('VideoWorker');
  await cloud.endProcesses(workerId);
  const before = cloud.invocations().length;
  await act();
  // The last step ends after its video is completed.
  await cloud.endProcesses(workerId);
  return cloud
    .invocations()
    .slice(before)
    .filter(({ functionId }) => functionId === workerId);
};
