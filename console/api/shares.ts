import type { CreatedShare, ShareList, ShareObject } from '../../functions/shares/api/share-object.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';
import { updateEntry } from './update-entry.ts';

/** The item of a share link: a completed video or a generated image. */
export type SharedItem = { readonly video_id: string } | { readonly file_id: string };

const SHARES = '/v1/shares';

/** The live links to one item, newest first. */
export const itemShares = createQuery<[item: SharedItem], ShareList>((signal, [item]) =>
  getJson(`${SHARES}${queryString({ limit: 100, ...item })}`, signal),
);

type ShareTerms = { readonly expires_in_seconds: number; readonly show_prompt: boolean };

/** The list may not have the new link for a moment, so it is added here. */
const changeList = (item: SharedItem, change: (shares: ShareObject[]) => ShareObject[]): void =>
  updateEntry(itemShares.entry(item), (list) => ({ ...list, data: change(list.data) }));

export const createShare = async (item: SharedItem, terms: ShareTerms): Promise<CreatedShare> => {
  const created = await sendJson<CreatedShare>('POST', SHARES, { ...item, ...terms });
  changeList(item, (shares) => [created, ...shares]);
  return created;
};

export const revokeShare = async (item: SharedItem, id: string): Promise<void> => {
  await sendJson('DELETE', `${SHARES}/${encodeURIComponent(id)}`);
  changeList(item, (shares) => shares.filter((share) => share.id !== id));
};
