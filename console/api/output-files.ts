import type { FileList } from '../../functions/files/api/file-object.ts';
import { PREFIX } from '../environment.ts';
import { createPagedQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

/** A generated image that the account keeps. */
export type OutputFile = FileList['data'][number];

const PER_PAGE = 24;

/** Same origin, so that the browser sends the cookie; it redirects to the file. */
export const fileUrl = (id: string): string => `${PREFIX}/v1/files/${encodeURIComponent(id)}/content`;

/** The newest first. */
export const outputPages = createPagedQuery<[], FileList>(
  (_, after, signal) =>
    getJson(`/v1/files${queryString({ purpose: 'output', limit: PER_PAGE, after })}`, signal),
  ({ has_more, last_id }) => (has_more && last_id !== null ? last_id : undefined),
);

export const deleteFile = (id: string): Promise<unknown> =>
  sendJson('DELETE', `/v1/files/${encodeURIComponent(id)}`);
