import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { isSecure } from '../identity/authentication/authenticate.ts';
import { openAiDialect } from '../platform/api/dialects.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import {
  MEDIA,
  MEDIA_HOST,
  MEMBERS,
  readEnvironment,
  SHARED_ITEMS,
} from '../platform/runtime/environment.ts';
import { type HttpRequest, type HttpResponse, publicHandler } from '../platform/runtime/http.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { dynamoShares } from './adapters/dynamo-shares.ts';
import { signContent } from './adapters/s3-content.ts';
import { SHARE_ENDPOINTS } from './api/endpoints.ts';
import { MISSING_PAGE, PRIVATE_HEADERS, pageHeaders, sharePage } from './api/share-page.ts';
import { contentSeconds, type Disposition, type OpenedItem } from './domain/share.ts';
import { sharedItems } from './shared-items.ts';
import { openShare, openSharedContent } from './usecases/open-share.ts';

/** Responds to visitors, who have no account, with the page of a link and with its content. */

export const ENVIRONMENT = { ...SHARED_ITEMS, ...MEMBERS, ...MEDIA, ...MEDIA_HOST };
const environment = readEnvironment(ENVIRONMENT);
const { SHARE_TABLE, MEMBER_TABLE, MEDIA_BUCKET } = environment;
const client = dynamoClient();
const logger = jsonLogger();
const signLink = signContent(s3Client(), MEDIA_BUCKET);
const dependencies = {
  shares: dynamoShares(client, SHARE_TABLE),
  members: dynamoMembers(client, MEMBER_TABLE),
  ...sharedItems(client, environment, logger),
};

const html = ({ header }: HttpRequest, status: number, text: string): HttpResponse => ({
  status,
  headers: pageHeaders(environment.MEDIA_HOST, isSecure(header)),
  text,
});

const sign = (item: OpenedItem, disposition: Disposition, method: 'GET' | 'HEAD' = 'GET'): Promise<string> =>
  signLink(item.content, { disposition, method, seconds: contentSeconds(item.expiresAt, Date.now()) });

/** Undefined if the link does not work. */
const redirect = async (token: string, { method, query }: HttpRequest) => {
  const content = await openSharedContent(dependencies, token, query('item'));
  if (content === undefined) return undefined;
  const disposition = query('download') === undefined ? 'inline' : 'attachment';
  const location = await sign(content.opened, disposition, method === 'HEAD' ? 'HEAD' : 'GET');
  return { ...content, response: { status: 302, headers: { ...PRIVATE_HEADERS, location } } };
};

const showPage = async (token: string, request: HttpRequest) => {
  const share = await openShare(dependencies, token, request.query('item'));
  if (share === undefined) return undefined;
  // The posters of a collection: a request for each would exceed the throttle of this route.
  const parts = share.opened.kind === 'collection' ? share.opened.parts : [];
  const posters = await Promise.all(parts.map((part) => sign(part, 'inline')));
  const { prefix } = request;
  return { ...share, response: html(request, 200, sharePage(share, { prefix, token, posters })) };
};

/** Every request looks the link and its items up, so that a revocation or deletion takes effect at once. */
export const handler = publicHandler({ dialect: openAiDialect, logger }, async (request, outcome) => {
  const respond = request.route === SHARE_ENDPOINTS.getShareContent.path ? redirect : showPage;
  const opened = await respond(request.path.token ?? '', request);
  if (opened === undefined) {
    outcome.code = 'not_found';
    return html(request, 404, MISSING_PAGE);
  }
  outcome.account = opened.account;
  return opened.response;
});
