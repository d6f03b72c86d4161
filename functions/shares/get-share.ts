import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { MEDIA_HOST, MEMBERS, readEnvironment, SHARED_ITEMS } from '../platform/runtime/environment.ts';
import { sharePage } from './api/share-page.ts';
import { shareHtml, visitorHandler } from './shared-items.ts';

export const ENVIRONMENT = { ...SHARED_ITEMS, ...MEMBERS, ...MEDIA_HOST };
const environment = readEnvironment(ENVIRONMENT);

export const handler = visitorHandler(dynamoClient(), environment, async (share, { prefix, path, header }) =>
  shareHtml(200, sharePage(share, prefix, path.token ?? ''), environment.MEDIA_HOST, header),
);
