import { createPagedQuery } from './pages.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, send } from './request.ts';
import { getSession } from './session.ts';
import type {
  Bucket,
  BucketPage,
  ChargePage,
  CostResult,
  Grouping,
  ImageUseResult,
  SpendLimit,
  VideoUseResult,
} from './shapes.ts';
import { useQuery } from './use-query.ts';

const ORGANIZATION = '/v1/organization';
const CHARGES_AT_ONCE = 50;

export type Days = { readonly start: number; readonly end: number };

const allBuckets = async <Result>(
  endpoint: string,
  { start, end }: Days,
  grouping: string,
  signal: AbortSignal,
): Promise<readonly Bucket<Result>[]> => {
  const buckets: Bucket<Result>[] = [];
  let page: string | undefined;
  do {
    const answer: BucketPage<Result> = await getJson(
      `${ORGANIZATION}/${endpoint}${queryString({
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
    page = answer.next_page ?? undefined;
  } while (page !== undefined);
  return buckets;
};

const bucketQuery = <Result>(endpoint: string) =>
  createQuery<[days: Days, grouping: string], readonly Bucket<Result>[]>((signal, [days, grouping]) =>
    allBuckets(endpoint, days, grouping, signal),
  );

const costs = bucketQuery<CostResult>('costs');
const videoUse = bucketQuery<VideoUseResult>('usage/videos');
const imageUse = bucketQuery<ImageUseResult>('usage/images');

const MODEL_OR_KEY = { line_item: 'model', api_key_id: 'api_key_id' } as const;

export const useCosts = (days: Days, grouping: Grouping) => useQuery(costs, days, grouping);

export const useVideoUse = (days: Days, grouping: Grouping) =>
  useQuery(videoUse, days, MODEL_OR_KEY[grouping]);

export const useImageUse = (days: Days, grouping: Grouping) =>
  useQuery(imageUse, days, MODEL_OR_KEY[grouping]);

/** Null where the account has no budget: the session tells, and nothing is asked for that is not there. */
export const spendLimit = createQuery<[project: string], SpendLimit | null>(async (signal, [project]) => {
  const { limits } = await getSession(signal);
  if (limits.monthly_budget === null) return null;
  return getJson(`${ORGANIZATION}/projects/${encodeURIComponent(project)}/spend_limit`, signal);
});

export const charges = createPagedQuery<[days: Days], ChargePage>(
  ([{ start, end }], page, signal) =>
    getJson(
      `${ORGANIZATION}/charges${queryString({
        start_time: start,
        end_time: end,
        limit: CHARGES_AT_ONCE,
        page,
      })}`,
      signal,
    ),
  ({ next_page }) => next_page ?? undefined,
);

/** All records of the days, as the server writes them. */
export const fetchChargeFile = async ({ start, end }: Days): Promise<Blob> => {
  const query = queryString({ start_time: start, end_time: end });
  const response = await send(`${ORGANIZATION}/charges${query}`, { headers: { accept: 'text/csv' } });
  return response.blob();
};
