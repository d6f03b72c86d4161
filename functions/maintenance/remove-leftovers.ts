import type { Context } from 'aws-lambda';
import { dynamoFileCleanUp, dynamoFiles } from '../files/adapters/dynamo-files.ts';
import { discardFile, fileHasArrived, retainFile, setFileAside } from '../files/adapters/s3-files.ts';
import { expireFiles } from '../files/usecases/expire-files.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { FILES, MEMBERS, readEnvironment, TASKS } from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { allDone, stopBefore } from '../platform/runtime/queue.ts';
import { dynamoCleanUpPosition, dynamoTaskInputs } from '../videos/adapters/dynamo-clean-up.ts';
import { s3Media } from '../videos/adapters/s3-media.ts';
import { removeLeftoverInputs } from '../videos/usecases/remove-leftover-inputs.ts';

export const ENVIRONMENT = { ...TASKS, ...FILES, ...MEMBERS };
const { TASK_TABLE, FILE_TABLE, MEDIA_BUCKET, MEMBER_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const s3 = s3Client();
const shared = { logger: jsonLogger(), now: Date.now };
const leftovers = {
  tasks: dynamoTaskInputs(client, TASK_TABLE, shared.logger),
  media: s3Media(s3, MEDIA_BUCKET),
  position: dynamoCleanUpPosition(client, TASK_TABLE),
  ...shared,
};
const expiry = {
  files: { ...dynamoFiles(client, FILE_TABLE), ...dynamoFileCleanUp(client, FILE_TABLE, shared.logger) },
  members: dynamoMembers(client, MEMBER_TABLE),
  store: {
    has: fileHasArrived(s3, MEDIA_BUCKET),
    setAside: setFileAside(s3, MEDIA_BUCKET),
    discard: discardFile(s3, MEDIA_BUCKET),
    retain: retainFile(s3, MEDIA_BUCKET),
  },
  ...shared,
};

export const handler = async (_event: unknown, context: Context): Promise<void> => {
  const stopAt = stopBefore(context);
  await allDone([removeLeftoverInputs({ ...leftovers, stopAt }), expireFiles({ ...expiry, stopAt })]);
};
