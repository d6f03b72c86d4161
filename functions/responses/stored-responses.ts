import { findRegisteredFile, registeredFiles } from '../files/adapters/dynamo-files.ts';
import { s3Files } from '../files/adapters/s3-files.ts';
import { client } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import type { Environment, FILES } from '../platform/runtime/environment.ts';
import { dynamoResponses } from './adapters/dynamo-responses.ts';
import type { ResponseState } from './api/response-object.ts';
import { imageFileId, toCallId } from './domain/response.ts';
import { type ReadResponse, readResponse } from './usecases/read-response.ts';

export const toState = ({ response: { claim, terms }, ...outcome }: ReadResponse): ResponseState => ({
  id: claim.id,
  callId: toCallId(imageFileId(claim)),
  createdAt: claim.createdAt,
  terms,
  ...outcome,
});

/** Reads a response with its image. */
export const storedResponses = ({ FILE_TABLE, MEDIA_BUCKET }: Environment<typeof FILES>) => {
  const reading = {
    responses: dynamoResponses(client, FILE_TABLE),
    files: registeredFiles(findRegisteredFile(client, FILE_TABLE), s3Files(s3Client(), MEDIA_BUCKET)),
    now: Date.now,
  };
  return async (account: string, id: string): Promise<ResponseState> =>
    toState(await readResponse(reading, account, id));
};
