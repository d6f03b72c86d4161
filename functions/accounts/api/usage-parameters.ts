import { KEY_ID } from '../../videos/api/list-query.ts';
import { COSTS, DEFAULT_DAYS, IMAGE_USAGE, type UseEndpoint, VIDEO_USAGE } from './use-query.ts';

const inQuery = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
});
const list = (name: string, description: string, items: object) => ({
  ...inQuery(`${name}[]`, description, { type: 'array', items: { type: 'string', ...items } }),
  explode: true,
});
const UNIX_SECONDS = { type: 'integer', minimum: 0, maximum: 99_999_999_999 };

const days = ({ maxLimit }: UseEndpoint) =>
  inQuery('limit', 'Days of the page.', {
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    default: DEFAULT_DAYS,
  });
const groupings = ({ groupings: names }: UseEndpoint) =>
  list('group_by', 'Splits the sums; also `group_by` again and again.', { enum: Object.keys(names) });
const values = ({ filters }: UseEndpoint, wanted: string, description: string) =>
  list(wanted, description, { enum: filters.find(({ name }) => name === wanted)?.values });

export const USAGE_PARAMETERS = {
  StartTime: {
    ...inQuery('start_time', 'From the UTC day on that this Unix second is in.', UNIX_SECONDS),
    required: true,
  },
  EndTime: inQuery(
    'end_time',
    'Up to this Unix second; the UTC day that it cuts is whole. Now unless given.',
    UNIX_SECONDS,
  ),
  BucketWidth: inQuery('bucket_width', 'One UTC day.', { type: 'string', const: '1d' }),
  NextPage: inQuery('page', 'next_page of the page before.', { type: 'string' }),
  ProjectIds: list('project_ids', 'Only these projects; all but the account have nothing to show.', {}),
  ApiKeyIds: list('api_key_ids', 'Only these keys or console sessions.', { pattern: KEY_ID.source }),
  CostDays: days(COSTS),
  CostGroupBy: groupings(COSTS),
  LineItems: values(COSTS, 'line_items', 'Only these models.'),
  UsageDays: days(VIDEO_USAGE),
  UsageGroupBy: groupings(VIDEO_USAGE),
  VideoModels: values(VIDEO_USAGE, 'models', 'Only these models.'),
  VideoSizes: values(VIDEO_USAGE, 'sizes', 'Only these resolutions.'),
  ImageModels: values(IMAGE_USAGE, 'models', 'Only these models.'),
  ImageSizes: values(IMAGE_USAGE, 'sizes', 'Only these sizes.'),
  ChargesFrom: inQuery('start_time', 'Only charges from this Unix second on.', UNIX_SECONDS),
  ChargesBefore: inQuery('end_time', 'Only charges before this Unix second.', UNIX_SECONDS),
  AfterRateLimit: inQuery('after', 'Those after this one.', { type: 'string' }),
  BeforeRateLimit: inQuery('before', 'Those before this one.', { type: 'string' }),
} as const;
