import { documentClient } from './adapters/aws-clients.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsSteps } from './adapters/sqs-steps.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { logJournal } from './runtime/journal.ts';
import { sweep } from './usecases/sweep.ts';

const environment = readEnvironment(ENVIRONMENTS.sweeper);
const dependencies = {
  tasks: dynamoTasks(documentClient(), environment.TASK_TABLE),
  queue: sqsSteps(environment.STEP_QUEUE_URL),
  media: s3Media(s3Client(), environment.MEDIA_BUCKET),
  journal: logJournal(),
  now: Date.now,
  grace: environment.SWEEP_GRACE_SECONDS * 1000,
};

export const handler = (): Promise<void> => sweep(dependencies);
