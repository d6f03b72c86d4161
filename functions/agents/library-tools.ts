import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoFilePages, usableFiles } from '../files/adapters/dynamo-files.ts';
import { fileHasArrived, signFileDownload, signFileUpload } from '../files/adapters/s3-files.ts';
import { readUpload } from '../files/api/create-file.ts';
import { readFileQuery } from '../files/api/file-object.ts';
import { requireUsableSize } from '../files/domain/files.ts';
import { creationTerms } from '../files/settings.ts';
import { createUpload, getFile, signDownloadLink } from '../files/usecases/manage-files.ts';
import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { actingPerson } from '../identity/domain/api-key.ts';
import { imagePreviews } from '../images/image-previews.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { parseBody } from '../platform/body/parse.ts';
import { invalidField } from '../platform/domain/errors.ts';
import { asDomainError } from '../platform/runtime/http.ts';
import { dynamoNewShares } from '../shares/adapters/dynamo-shares.ts';
import { createdShare, newShareSchema, readShareTerms } from '../shares/api/share-object.ts';
import { sharedItems } from '../shares/shared-items.ts';
import { createShare } from '../shares/usecases/manage-shares.ts';
import { describeFile, listedImage, previewContent } from './api/image-result.ts';
import type { ToolInputs } from './api/tool-inputs.ts';
import { toTime } from './api/video-result.ts';
import { type Content, type ToolHandler, type ToolName, toQuery } from './domain/tools.ts';
import type { McpEnvironment } from './settings.ts';

/** More would flood the context of a model. */
const MAX_PREVIEWS = 2;

/** Small versions of the images, for the model to look at; an image without one is only a link. */
export const previewer = (client: DynamoDBClient, environment: McpEnvironment) => {
  const preview = imagePreviews(client, environment);
  return async (account: string, fileIds: readonly string[]): Promise<readonly Content[]> => {
    const previews = fileIds.slice(0, MAX_PREVIEWS).map(async (id) => {
      try {
        return previewContent((await preview(account, id)).bytes);
      } catch (error) {
        asDomainError(error, logger);
        return [];
      }
    });
    return (await Promise.all(previews)).flat();
  };
};

/** Images and uploads of the account, and links to its videos and images. */
export const libraryTools = (client: DynamoDBClient, environment: McpEnvironment, inputs: ToolInputs) => {
  const { FILE_TABLE, MEDIA_BUCKET } = environment;
  const s3 = s3Client();
  const members = dynamoMembers(client, environment.MEMBER_TABLE);
  const files = {
    files: usableFiles(client, FILE_TABLE, members),
    store: { has: fileHasArrived(s3, MEDIA_BUCKET), signDownload: signFileDownload(s3, MEDIA_BUCKET) },
    now: Date.now,
  };
  const uploads = {
    files: files.files,
    store: { signUpload: signFileUpload(MEDIA_BUCKET) },
    logger,
    ...creationTerms(environment),
  };
  const { SHARE_TABLE } = environment;
  const shares = SHARE_TABLE !== undefined && {
    shares: dynamoNewShares(client, SHARE_TABLE, logger, {
      audit: auditTrail(client, environment.AUDIT_TABLE, logger),
      members,
    }),
    ...sharedItems(client, environment, logger),
  };
  const pages = dynamoFilePages(client, FILE_TABLE, logger);
  const preview = previewer(client, environment);

  return {
    get_image: async (given, { caller: { account } }) => {
      const { file_id } = parseBody(inputs.get_image, given);
      const url = await signDownloadLink(files, account, file_id, 'GET');
      const file = await getFile(files, account, file_id);
      return {
        structured: describeFile(file, url, Date.now()),
        content: await preview(account, [file_id]),
      };
    },

    list_images: async (given, { caller: { account } }) => {
      const wanted = { limit: 10, ...parseBody(inputs.list_images, given), purpose: 'output' };
      const page = await pages.page(account, readFileQuery(toQuery(wanted)), Date.now());
      const last = page.resumeAfter ?? page.items.at(-1)?.id;
      return {
        structured: {
          images: page.items.map(listedImage),
          has_more: page.hasMore,
          ...(last === undefined ? {} : { last_id: last }),
        },
      };
    },

    create_upload: async (given, { caller }) => {
      const { terms, sha256 } = readUpload({
        ...parseBody(inputs.create_upload, given),
        purpose: 'user_data',
      });
      requireUsableSize(terms.bytes, environment.UPSTREAM_REQUEST_MEGABYTES, 'bytes');
      const { file, upload } = await createUpload(
        uploads,
        { account: caller.account, uploaderId: actingPerson(caller) },
        terms,
        sha256,
      );
      return {
        structured: {
          file_id: file.id,
          upload_url: upload.url,
          method: 'PUT',
          headers: upload.headers,
          expires_at: toTime(upload.expiresAt),
          next_step: 'Send the bytes with this method and all of these headers; then use file_id.',
        },
      };
    },

    create_share_link: async (given, { action, publicUrl }) => {
      if (!shares) throw new Error('the feature shares is not part of this stack');
      const sent = Object.fromEntries(
        Object.entries(parseBody(inputs.create_share_link, given)).filter(([, value]) => value !== undefined),
      );
      // The REST API also shares collections, of which agents know nothing.
      if ('video_id' in sent === 'file_id' in sent)
        throw invalidField('video_id', 'Send either video_id or file_id.');
      const terms = readShareTerms(parseBody(newShareSchema, sent));
      const { share, token } = await createShare(shares, action, terms);
      const { url } = createdShare(share, publicUrl, token);
      return { structured: { url, expires_at: toTime(share.expiresAt), share_id: share.id } };
    },
  } satisfies Partial<Record<ToolName, ToolHandler>>;
};
