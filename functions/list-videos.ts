import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoTaskPages } from './adapters/dynamo-task-page.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { readListQuery } from './api/parameters.ts';
import { includedParts, readIncludes } from './api/videos/included-parts.ts';
import { readTaskFilter } from './api/videos/list-query.ts';
import { videoList } from './api/videos/video-object.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
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
