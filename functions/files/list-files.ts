import { endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoFilePages } from './adapters/dynamo-file-page.ts';
import { fileList } from './api/file-object.ts';
import { readFileQuery } from './api/list-query.ts';

const { KEY_TABLE, FILE_TABLE } = readEnvironment(ENVIRONMENTS['list-files']);
const client = dynamoClient();
const { page } = dynamoFilePages(client, FILE_TABLE, logger);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, query }) =>
  ok(fileList(await page(caller.account, readFileQuery(query), Date.now()))),
);
