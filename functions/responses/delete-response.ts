import { FILE_DELETION, fileDeletion } from '../files/file-deletion.ts';
import { client, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoResponses } from './adapters/dynamo-responses.ts';
import { RESPONSE_ENDPOINTS } from './api/endpoints.ts';
import { deletedResponse } from './api/response-object.ts';
import { deleteResponse } from './usecases/delete-response.ts';

export const ENVIRONMENT = FILE_DELETION;
const environment = readEnvironment(ENVIRONMENT);
const deleteFile = fileDeletion(environment);
const responses = dynamoResponses(client, environment.FILE_TABLE);

export const handler = jsonEndpoint(
  RESPONSE_ENDPOINTS.deleteResponse,
  async ({ path: { response_id: id }, action }) => {
    const dependencies = { responses, now: Date.now, deleteFile: (file: string) => deleteFile(action, file) };
    await deleteResponse(dependencies, action.account, id);
    return deletedResponse(id);
  },
);
