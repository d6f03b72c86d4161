import { readListQuery } from '../platform/api/parameters.ts';
import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTaskPages } from './adapters/dynamo-task-page.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { includedParts, readIncludes } from './api/included-parts.ts';
import { readTaskFilter } from './api/list-query.ts';
import { videoList } from './api/video-object.ts';
import { listVideos } from './usecases/list-videos.ts';

const { KEY_TABLE, TASK_TABLE } = readEnvironment(ENVIRONMENTS['list-videos']);
const client = dynamoClient();
const tasks = { ...dynamoTasks(client, TASK_TABLE), ...dynamoTaskPages(client, TASK_TABLE, logger) };

export const handler = endpoint(client, KEY_TABLE, async ({ caller, query, queryAll }) => {
  const includes = readIncludes(queryAll('include'));
  const wanted = { ...readListQuery(query), filter: readTaskFilter(query) };
  const page = await listVideos(tasks, caller.account, wanted);
  return ok(videoList(page, (task) => includedParts(task, includes)));
});
