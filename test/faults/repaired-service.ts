import { withShortClaims } from '../support/assembly.ts';
import { openOwnService } from '../support/open-service.ts';

/** A message that a killed worker leaves behind comes again sooner. */
const withShortTimeouts = (template: string): string =>
  template
    .replace('"VisibilityTimeout": 240', '"VisibilityTimeout": 12')
    .replace('"Timeout": 40', '"Timeout": 12');

/** Each webhook worker that is killed takes a quarter of a second to start again. */
const withFewWebhookWorkers = (template: string): string =>
  template
    .replace('"MaximumConcurrency": 10', '"MaximumConcurrency": 3')
    .replaceAll('"WEBHOOK_CONCURRENCY": "10"', '"WEBHOOK_CONCURRENCY": "3"');

/** A service in which the repair of what killed functions leave behind can be watched. */
export const service = await openOwnService({
  isSilent: true,
  startChild: undefined,
  changeTemplate: (template) => withFewWebhookWorkers(withShortTimeouts(withShortClaims(template))),
});

/** Kills each of the processes with a probability, and returns how many. */
export const killSome = (pids: readonly number[], random: () => number, probability: number): number => {
  const doomed = pids.filter(() => random() < probability);
  for (const pid of doomed)
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  return doomed.length;
};
