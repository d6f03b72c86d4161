import * as z from 'zod/mini';
import { deletion, listSchema, readAfter, readLimit } from '../../platform/api/pages.ts';
import { toSeconds } from '../../platform/api/parameters.ts';
import { flag, lenientFields, optional, text, timestamp, wholeNumber } from '../../platform/body/schema.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import {
  isShareId,
  SHARE_ID,
  SHARE_SECONDS,
  SHARED_KINDS,
  type Share,
  type SharedKind,
  type SharedName,
  type SharePageQuery,
} from '../domain/share.ts';

const ONE = 'Send one of video_id, file_id and collection_id.';

export const newShareSchema = lenientFields({
  video_id: optional(text(), `The completed video to share. ${ONE}`),
  file_id: optional(text(), `The generated image to share. ${ONE}`),
  collection_id: optional(text(), `The collection to share, as it is when the link is opened. ${ONE}`),
  expires_in_seconds: optional(
    wholeNumber(SHARE_SECONDS.least, SHARE_SECONDS.most),
    `How long the link works, from 1 hour to 7 days, but not longer than a single item exists. Default: ${SHARE_SECONDS.default}.`,
  ),
  show_prompt: optional(flag(), 'Whether the page shows the prompt of each item. Default: false.'),
});

const FIELDS = { video: 'video_id', image: 'file_id', collection: 'collection_id' } as const satisfies Record<
  SharedKind,
  string
>;

/** Undefined if none is given. */
const readItem = (given: (field: (typeof FIELDS)[SharedKind]) => string | undefined) => {
  const items = SHARED_KINDS.flatMap((kind): SharedName[] => {
    const id = given(FIELDS[kind]);
    return id === undefined ? [] : [{ kind, id }];
  });
  const [item, second] = items;
  if (second !== undefined) throw invalidField(FIELDS[second.kind], ONE);
  return item;
};

export const readShareTerms = (body: z.infer<typeof newShareSchema>) => {
  const item = readItem((field) => body[field]);
  if (item === undefined) throw invalidField('video_id', ONE);
  return {
    item,
    lifetimeSeconds: body.expires_in_seconds ?? SHARE_SECONDS.default,
    showsPrompt: body.show_prompt ?? false,
  };
};

const shareFields = {
  id: z.string().check(z.regex(SHARE_ID)),
  object: z.literal('share'),
  video_id: z.nullable(z.string()).check(z.describe('The shared video.')),
  file_id: z.nullable(z.string()).check(z.describe('The shared image.')),
  collection_id: z.nullable(z.string()).check(z.describe('The shared collection.')),
  show_prompt: z.boolean().check(z.describe('Whether the page shows the prompt.')),
  created_at: timestamp('When it was created.'),
  expires_at: timestamp('When the link stops working.'),
  api_key_id: z.string().check(z.describe('The API key or console session that created it.')),
};

export const shareSchema = z
  .object(shareFields)
  .check(z.describe('A link to a video, an image or a collection that opens without an account.'));
export const createdShareSchema = z
  .object({
    ...shareFields,
    url: z.url().check(z.describe('The link, shown only once. Anyone who has it can see what it leads to.')),
  })
  .check(z.describe('A new share with its link.'));
export const shareListSchema = listSchema(shareSchema, 'A page of the account’s share links, newest first.');
export const { schema: deletedShareSchema, answer: deletedShare } = deletion('share.deleted');

export type ShareObject = z.infer<typeof shareSchema>;
export type CreatedShare = z.infer<typeof createdShareSchema>;
export type ShareList = z.infer<typeof shareListSchema>;

export const shareObject = ({ item, ...share }: Share): ShareObject => ({
  id: share.id,
  object: 'share',
  video_id: item.kind === 'video' ? item.id : null,
  file_id: item.kind === 'image' ? item.id : null,
  collection_id: item.kind === 'collection' ? item.id : null,
  show_prompt: share.showsPrompt,
  created_at: toSeconds(share.createdAt),
  expires_at: toSeconds(share.expiresAt),
  api_key_id: share.keyId,
});

export const createdShare = (share: Share, baseUrl: string, token: string): CreatedShare => ({
  ...shareObject(share),
  url: `${baseUrl}/s/${token}`,
});

export const readShareQuery = (query: (name: string) => string | undefined): SharePageQuery => {
  const after = readAfter(query, isShareId, 'a share');
  return { limit: readLimit(query), after, item: readItem(query) };
};
