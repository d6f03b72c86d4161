import { IMAGE_SIZES } from '../../catalogue/domain/image-sizes.ts';
import { IMAGE_MODEL, MODELS, RESOLUTIONS, VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { KEY_ID } from '../../identity/domain/api-key.ts';
import { isPersonId } from '../../identity/domain/person.ts';
import { readLimit } from '../../platform/api/pages.ts';
import { readTime } from '../../platform/api/parameters.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import type { HttpRequest } from '../../platform/runtime/http.ts';
import { isDay, toUtcDay } from '../domain/periods.ts';
import type { DailyUsage, UsageField, UsageQuery } from '../domain/usage.ts';

type Query = Pick<HttpRequest, 'query' | 'queryAll'>;

type Filter = {
  readonly name: string;
  readonly field: UsageField;
  /** The accepted values; without them, any text is accepted. */
  readonly values?: readonly string[];
};

/** The parameters that one endpoint accepts, with the names of OpenAI's API. */
export type UsageEndpoint = {
  readonly includes: (usage: DailyUsage) => boolean;
  readonly hasMoney: boolean;
  readonly groupings: Readonly<Record<string, UsageField>>;
  readonly filters: readonly Filter[];
  /** Parameters of OpenAI's API for which no data is recorded. */
  readonly notSupported: readonly string[];
  readonly maxLimit: number;
};

export const DEFAULT_DAYS = 7;

const OWNER_FILTERS = [
  { name: 'project_ids', field: 'account' },
  { name: 'api_key_ids', field: 'keyId' },
  { name: 'user_ids', field: 'personId' },
] as const satisfies readonly Filter[];

export const COSTS: UsageEndpoint = {
  // Usage without a price has no cost.
  includes: ({ amount }) => amount !== null,
  hasMoney: true,
  groupings: { project_id: 'account', api_key_id: 'keyId', user_id: 'personId', line_item: 'model' },
  filters: [...OWNER_FILTERS, { name: 'line_items', field: 'model', values: MODELS }],
  notSupported: ['api_sources'],
  maxLimit: 180,
};

const usageEndpoint = (
  kind: DailyUsage['kind'],
  models: readonly string[],
  sizes: readonly string[],
): UsageEndpoint => ({
  includes: (usage) => usage.kind === kind,
  hasMoney: false,
  groupings: {
    project_id: 'account',
    api_key_id: 'keyId',
    user_id: 'personId',
    model: 'model',
    size: 'size',
  },
  filters: [
    ...OWNER_FILTERS,
    { name: 'models', field: 'model', values: models },
    { name: 'sizes', field: 'size', values: sizes },
  ],
  notSupported: ['sources'],
  maxLimit: 31,
});

export const VIDEO_USAGE = usageEndpoint('video', VIDEO_MODELS, RESOLUTIONS);
export const IMAGE_USAGE = usageEndpoint('image', [IMAGE_MODEL], IMAGE_SIZES);

/** The UTC days that contain the given times, because sums are kept by day. */
const readDays = ({ query }: Query, now: number): { readonly from: string; readonly to: string } => {
  const start = readTime(query, 'start_time');
  if (start === undefined)
    throw invalidField('start_time', 'start_time is required: a Unix timestamp in whole seconds.');
  const end = readTime(query, 'end_time') ?? Math.max(now, start + 1);
  if (end <= start) throw invalidField('end_time', 'end_time must be after start_time.');
  return { from: toUtcDay(start), to: toUtcDay(end - 1) };
};

const PAGE = /^page_(\d{4}-\d{2}-\d{2})$/;
export const pageName = (day: string): string => `page_${day}`;

const readPage = ({ query }: Query, { from, to }: { readonly from: string; readonly to: string }): string => {
  const page = query('page');
  if (page === undefined) return from;
  const day = PAGE.exec(page)?.[1];
  if (day === undefined || !isDay(day) || day < from || day > to)
    throw invalidField('page', 'page must be next_page of the previous page, with the same times.');
  return day;
};

const readFilter = ({ queryAll }: Query, { name, values }: Filter): readonly string[] => {
  const given = queryAll(name);
  if (values !== undefined && given.some((value) => !values.includes(value)))
    throw invalidField(name, `${name} must be one of ${listed(values)}.`);
  if (name === 'api_key_ids' && given.some((value) => !KEY_ID.test(value)))
    throw invalidField(name, 'api_key_ids must be ids of keys (key_…) or console sessions (sess_…).');
  if (name === 'user_ids' && !given.every(isPersonId))
    throw invalidField(name, 'user_ids must be ids of people (user_…).');
  return given;
};

const readGroupings = ({ queryAll }: Query, groupings: UsageEndpoint['groupings']): UsageField[] =>
  queryAll('group_by').map((name) => {
    const field = Object.hasOwn(groupings, name) ? groupings[name] : undefined;
    if (field === undefined)
      throw invalidField('group_by', `group_by must be one of ${listed(Object.keys(groupings))}.`);
    return field;
  });

export const readUsageQuery = (endpoint: UsageEndpoint, query: Query, now: number): UsageQuery => {
  const { groupings, filters, notSupported, maxLimit, includes, hasMoney } = endpoint;
  const unknown = notSupported.find((name) => query.queryAll(name).length > 0);
  if (unknown !== undefined) throw invalidField(unknown, `${unknown} is not supported.`);
  if ((query.query('bucket_width') ?? '1d') !== '1d')
    throw invalidField('bucket_width', 'bucket_width must be 1d: sums are kept by UTC day.');
  const days = readDays(query, now);
  const wanted = filters.map((filter) => ({ ...filter, given: readFilter(query, filter) }));
  return {
    from: readPage(query, days),
    to: days.to,
    limit: readLimit(query.query, maxLimit, DEFAULT_DAYS),
    by: readGroupings(query, groupings),
    hasMoney,
    includes: (usage) =>
      includes(usage) &&
      wanted.every(({ field, given }) => given.length === 0 || given.includes(usage[field] ?? '')),
  };
};
