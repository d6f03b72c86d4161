import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findRegisteredFile } from '../files/adapters/dynamo-files.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { isSecure } from '../identity/authentication/authenticate.ts';
import { openAiDialect } from '../platform/api/errors.ts';
import { type HttpRequest, type HttpResponse, publicHandler } from '../platform/runtime/http.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { dynamoTasks } from '../videos/adapters/dynamo-tasks.ts';
import { dynamoShares } from './adapters/dynamo-shares.ts';
import { MISSING_PAGE, pageHeaders } from './api/share-page.ts';
import type { OpenedShare } from './domain/share.ts';
import { openShare } from './usecases/open-share.ts';

/** Responds to visitors, who have no account. */

type Tables = Readonly<Record<'SHARE_TABLE' | 'TASK_TABLE' | 'FILE_TABLE' | 'MEMBER_TABLE', string>>;

export const shareHtml = (
  status: number,
  html: string,
  mediaHost: string,
  header: HttpRequest['header'],
): HttpResponse => ({ status, headers: pageHeaders(mediaHost, isSecure(header)), text: html });

/** Every request looks the link and its item up, so that a revocation or deletion takes effect at once. */
export const visitorHandler = (
  client: DynamoDBClient,
  { SHARE_TABLE, TASK_TABLE, FILE_TABLE, MEMBER_TABLE, MEDIA_HOST }: Tables & { readonly MEDIA_HOST: string },
  respond: (share: OpenedShare, request: HttpRequest) => Promise<HttpResponse>,
) => {
  const dependencies = {
    shares: dynamoShares(client, SHARE_TABLE),
    members: dynamoMembers(client, MEMBER_TABLE),
    tasks: dynamoTasks(client, TASK_TABLE),
    files: { find: findRegisteredFile(client, FILE_TABLE) },
    now: Date.now,
  };
  return publicHandler({ dialect: openAiDialect, logger: jsonLogger() }, async (request, outcome) => {
    const share = await openShare(dependencies, request.path.token ?? '');
    if (share === undefined) {
      outcome.code = 'not_found';
      return shareHtml(404, MISSING_PAGE, MEDIA_HOST, request.header);
    }
    outcome.account = share.account;
    return respond(share, request);
  });
};
