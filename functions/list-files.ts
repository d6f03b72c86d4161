import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoFilePages } from './adapters/dynamo-file-page.ts';
import { fileList } from './api/files/file-object.ts';
import { readFileQuery } from './api/files/list-query.ts';
import { endpoint, logger } from './composition/endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE, FILE_TABLE } = readEnvironment(ENVIRONMENTS['list-files']);
const client = dynamoClient();
const { page } = dynamoFilePages(client, FILE_TABLE, logger);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, query }) =>
  ok(fileList(await page(caller.account, readFileQuery(query), Date.now()))),
);
