import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Lambda would repeat a failed run twice, beside the runs of the schedule, and a throttled one for six hours. */
const ONLY_NOW = { retryAttempts: 0, maxEventAge: Duration.seconds(60) } as const;

/** What moves tasks on: the worker, the sweeper behind it, and the end of what neither could handle. */
export const addVideoWorker = (
  scope: Construct,
  {
    config,
    functions,
    tasks,
    charges,
    accounts,
    usage,
    files,
    media,
    steps,
    webhooks,
    webhookDeliveries,
    upstream,
  }: Resources,
): void => {
  const { workerTimeoutSeconds, videoRetentionDays, sweepGraceSeconds, prices } = config;
  const worker = functions.create('video-worker', {
    description: 'Takes a video task one step further',
    timeoutSeconds: workerTimeoutSeconds,
    memoryMegabytes: 1024,
    mayLoop: true,
    isGradual: true,
    grants: allOf(
      tasks.work(),
      charges.record(),
      usage.add(),
      accounts.settle(),
      steps.send(),
      webhooks.send(),
      media.work(),
      upstream.call(),
      settings({
        PRICES: JSON.stringify(prices),
        WORKER_CONCURRENCY: String(config.workerConcurrency),
        FETCH_CLAIM_SECONDS: String(workerTimeoutSeconds),
        VIDEO_RETENTION_SECONDS: String(videoRetentionDays * DAY_SECONDS),
      }),
    ),
  });
  steps.addConsumer(worker.target, config.workerConcurrency);

  const deadLetter = functions.create('dead-letter', {
    description: 'Fails the tasks whose messages could not be handled',
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    grants: allOf(
      tasks.advance(),
      charges.record(),
      usage.add(),
      accounts.settle(),
      webhooks.send(),
      media.removeAll(),
    ),
  });
  steps.addDeadLetterConsumer(deadLetter);

  const sweeper = functions.create('sweeper', {
    description: 'Puts back on the queue what is overdue',
    timeoutSeconds: 55,
    memoryMegabytes: 512,
    grants: allOf(
      tasks.sweep(),
      accounts.sweep(),
      steps.sweep(),
      webhooks.send(),
      webhookDeliveries.sweep(),
      settings({ SWEEP_GRACE_SECONDS: String(sweepGraceSeconds) }),
    ),
  });
  sweeper.configureAsyncInvoke(ONLY_NOW);
  new Rule(scope, 'EveryMinute', {
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(sweeper, { retryAttempts: 0 })],
  });

  const leftovers = functions.create('remove-leftovers', {
    description: 'Removes input images that no task needs, and files whose time is over',
    timeoutSeconds: 300,
    memoryMegabytes: 512,
    grants: allOf(tasks.find(), media.sweepInputs(), files.expire(), media.expireFiles()),
  });
  leftovers.configureAsyncInvoke(ONLY_NOW);
  new Rule(scope, 'EveryHour', {
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new LambdaFunction(leftovers, { retryAttempts: 0 })],
  });
};
