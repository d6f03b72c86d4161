import type { LocalCloud } from '../../lib/local/cloud.ts';
import type { InvocationRecord } from '../../lib/local/functions/invocation.ts';

const LOOK_MILLISECONDS = 20;
const LAST_STEP_MILLISECONDS = 60_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));

/** Ends the processes of a function, so that the next event includes loading and has its own peak memory. */
export const endProcesses = async (cloud: LocalCloud, functionId: string): Promise<void> => {
  const processes = () => cloud.functionProcesses()[functionId] ?? [];
  for (const pid of processes()) process.kill(pid, 'SIGKILL');
  // A step that an ending process receives would be lost for minutes.
  while (processes().length > 0) await pause();
};

export const endWorkers = (cloud: LocalCloud): Promise<void> =>
  endProcesses(cloud, cloud.functionId('VideoWorker'));

/** Returns the worker's steps during `act`; waits for the last one, which ends after `completed`. */
export const workerSteps = async (
  cloud: LocalCloud,
  act: () => Promise<unknown>,
): Promise<readonly InvocationRecord[]> => {
  const workerId = cloud.functionId('VideoWorker');
  const before = cloud.invocations().length;
  const steps = () =>
    cloud
      .invocations()
      .slice(before)
      .filter(({ functionId }) => functionId === workerId);
  await cloud.clearCalls();
  await act();
  const messages = (await cloud.calls()).filter(
    // The webhook event goes to another queue.
    ({ action, resource }) => action === 'sqs:SendMessage' && resource.includes('StepsQueue'),
  ).length;
  const deadline = performance.now() + LAST_STEP_MILLISECONDS;
  while (steps().length < messages) {
    if (performance.now() > deadline)
      throw new Error(`Only ${steps().length} of ${messages} steps ended within a minute.`);
    await pause();
  }
  return steps();
};
