import { useQuery } from '@tanstack/preact-query';
import { getJson, queryString } from './request.ts';
import type { Bucket, BucketPage, CostResult, Grouping } from './shapes.ts';

const MAX_PAGES = 50;

const allBuckets = async (
  start: number,
  end: number,
  grouping: Grouping,
  signal: AbortSignal,
): Promise<readonly Bucket<CostResult>[]> => {
  const buckets: Bucket<CostResult>[] = [];
  let page: string | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const answer: BucketPage<CostResult> = await getJson(
      `/v1/organization/costs${queryString({
        start_time: start,
        end_time: end,
        bucket_width: '1d',
        group_by: [grouping],
        limit: 31,
        page,
      })}`,
      signal,
    );
    buckets.push(...answer.data);
    if (!answer.has_more || answer.next_page === null) return buckets;
    page = answer.next_page;
  }
  return buckets;
};

export const useCosts = (start: number, end: number, grouping: Grouping) =>
  useQuery({
    queryKey: ['costs', start, end, grouping],
    queryFn: ({ signal }) => allBuckets(start, end, grouping, signal),
  });
