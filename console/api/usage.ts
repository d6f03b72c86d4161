import type { ChargePage } from '../../functions/billing/api/charge-object.ts';
import type { SpendLimit } from '../../functions/billing/api/limit-object.ts';
import type { CostPage, ImageUsagePage, VideoUsagePage } from '../../functions/billing/api/usage-object.ts';
import type { Days } from './days.ts';
import { createPagedQuery, createQuery } from './query.ts';
import { getJson, queryString, send } from './request.ts';
import { getSession } from './session.ts';

const ORGANIZATION = '/v1/organization';
const MAX_BUCKETS = 31;
const CHARGES_PER_PAGE = 50;

type BucketPage = CostPage | VideoUsagePage | ImageUsagePage;

/** One bucket per day, from as many requests as the range needs. */
const bucketQuery = <Page extends BucketPage>(path: string) =>
  createQuery<[days: Days, grouping: string], readonly Page['data'][number][]>(
    async (signal, [{ start, end }, grouping]) => {
      const buckets: Page['data'][number][] = [];
      let page: string | undefined;
      do {
        const query = queryString({
          start_time: start,
          end_time: end,
          bucket_width: '1d',
          group_by: [grouping],
          limit: MAX_BUCKETS,
          page,
        });
        const response: Page = await getJson(`${ORGANIZATION}/${path}${query}`, signal);
        buckets.push(...response.data);
        page = response.next_page ?? undefined;
      } while (page !== undefined);
      return buckets;
    },
  );

export const costs = bucketQuery<CostPage>('costs');
export const videoUsage = bucketQuery<VideoUsagePage>('usage/videos');
export const imageUsage = bucketQuery<ImageUsagePage>('usage/images');

/** Null if the account has no budget, which the session says, so that no request fails with 404. */
export const spendLimit = createQuery<[project: string], SpendLimit | null>(async (signal, [project]) => {
  const { limits } = await getSession(signal);
  if (limits.monthly_budget === null) return null;
  return getJson(`${ORGANIZATION}/projects/${encodeURIComponent(project)}/spend_limit`, signal);
});

export const charges = createPagedQuery<[days: Days], ChargePage>(
  ([{ start, end }], page, signal) => {
    const query = queryString({ start_time: start, end_time: end, limit: CHARGES_PER_PAGE, page });
    return getJson(`${ORGANIZATION}/charges${query}`, signal);
  },
  ({ next_page }) => next_page ?? undefined,
);

export const fetchChargeFile = async ({ start, end }: Days): Promise<string> => {
  const query = queryString({ start_time: start, end_time: end });
  const response = await send(`${ORGANIZATION}/charges${query}`, { headers: { accept: 'text/csv' } });
  return response.text();
};
