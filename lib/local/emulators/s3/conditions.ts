import { noSuchKey, preconditionFailed } from './errors.ts';
import type { StoredObject } from './object-store.ts';
import type { ObjectCall } from './operation.ts';

export const quoted = (etag: string): string => `"${etag}"`;

export const matches = (condition: string, { etag }: StoredObject): boolean =>
  condition.split(',').some((each) => ['*', etag, quoted(etag)].includes(each.trim()));

/** Conditional writes: `If-None-Match: *` creates only, `If-Match` replaces only what it names. */
export const checkWritable = ({ request, bucket, key, objects }: ObjectCall): void => {
  const existing = objects.find(bucket, key);
  const { 'if-none-match': unless, 'if-match': only } = request.headers;
  if (unless !== undefined && existing && matches(unless, existing))
    throw preconditionFailed('If-None-Match');
  if (only === undefined) return;
  if (!existing) throw noSuchKey(key);
  if (!matches(only, existing)) throw preconditionFailed('If-Match');
};
