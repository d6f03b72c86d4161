import { dynamoKeptStorage, storageWrites } from '../billing/adapters/kept-storage.ts';
import { dynamoFileChanges, dynamoFiles } from '../files/adapters/dynamo-files.ts';
import { retainFile } from '../files/adapters/s3-files.ts';
import { updateImage } from '../files/usecases/update-image.ts';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { isTaskId } from '../platform/domain/ids.ts';
import {
  AUDIT,
  FILES,
  KEPT_STORAGE,
  KEYS,
  readEnvironment,
  seconds,
  TASKS,
} from '../platform/runtime/environment.ts';
import { dynamoTaskChanges, dynamoTasks } from '../videos/adapters/dynamo-tasks.ts';
import { s3Retention } from '../videos/adapters/s3-media.ts';
import { updateVideo } from '../videos/usecases/update-video.ts';
import { LIBRARY_ENDPOINTS } from './api/endpoints.ts';
import { imageItem, readItemChange, videoItem } from './api/item-object.ts';

export const ENVIRONMENT = {
  ...KEYS,
  ...TASKS,
  ...FILES,
  ...KEPT_STORAGE,
  ...AUDIT,
  VIDEO_RETENTION_SECONDS: seconds,
};
const environment = readEnvironment(ENVIRONMENT);
const { ACCOUNT_TABLE, FILE_TABLE, TASK_TABLE, MEDIA_BUCKET } = environment;
const s3 = s3Client();
const audit = auditTrail(client, environment.AUDIT_TABLE, logger);
const countStorage = storageWrites(ACCOUNT_TABLE);
const shared = {
  storages: dynamoKeptStorage(client, ACCOUNT_TABLE),
  now: Date.now,
  defaultMegabytes: environment.KEPT_STORAGE_MEGABYTES,
  retentionMs: environment.VIDEO_RETENTION_SECONDS * 1000,
};
const videos = {
  ...shared,
  tasks: dynamoTasks(client, TASK_TABLE),
  changes: dynamoTaskChanges(TASK_TABLE, audit, countStorage),
  retention: s3Retention(s3, MEDIA_BUCKET),
};
const images = {
  ...shared,
  files: { ...dynamoFiles(client, FILE_TABLE), ...dynamoFileChanges(FILE_TABLE, audit, countStorage) },
  store: { retain: retainFile(s3, MEDIA_BUCKET) },
};

export const handler = jsonEndpoint(LIBRARY_ENDPOINTS.updateItem, async ({ path, body, action }) => {
  const id = path.item_id;
  const change = readItemChange(body);
  return isTaskId(id)
    ? videoItem(await updateVideo(videos, action, id, change))
    : imageItem(await updateImage(images, action, id, change));
});
