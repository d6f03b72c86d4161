import { dynamoClient, s3Client } from '../platform/aws/aws-clients.ts';
import {
  MEDIA,
  MEDIA_HOST,
  MEMBERS,
  readEnvironment,
  SHARED_ITEMS,
} from '../platform/runtime/environment.ts';
import { s3ContentLinks } from './adapters/s3-content.ts';
import { PRIVATE_HEADERS } from './api/share-page.ts';
import { contentSeconds } from './domain/share.ts';
import { visitorHandler } from './shared-items.ts';

export const ENVIRONMENT = { ...SHARED_ITEMS, ...MEMBERS, ...MEDIA, ...MEDIA_HOST };
const environment = readEnvironment(ENVIRONMENT);
const links = s3ContentLinks(s3Client(), environment.MEDIA_BUCKET);

export const handler = visitorHandler(
  dynamoClient(),
  environment,
  async ({ content, expiresAt }, { method, query }) => {
    const location = await links.sign(content, {
      disposition: query('download') === undefined ? 'inline' : 'attachment',
      method: method === 'HEAD' ? 'HEAD' : 'GET',
      seconds: contentSeconds(expiresAt, Date.now()),
    });
    return { status: 302, headers: { ...PRIVATE_HEADERS, location } };
  },
);
