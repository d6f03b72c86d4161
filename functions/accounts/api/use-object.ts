import { dayAfter, dayStart } from '../domain/periods.ts';
import type { UseReport, UseSum } from '../domain/use-sums.ts';
import { pageName } from './use-query.ts';
import {
  type Amount,
  type CostResult,
  type ImageUsageResult,
  QUANTITY_UNITS,
  type VideoUsageResult,
} from './use-schema.ts';

export const amountObject = (decimal: string, currency: string | null): Amount => ({
  value: Number(decimal),
  decimal,
  currency: (currency ?? '').toLowerCase(),
});

export const costResult = ({
  account,
  keyId,
  model,
  kind,
  quantity,
  amount,
  currency,
}: UseSum): CostResult => ({
  object: 'organization.costs.result',
  amount: amountObject(amount ?? '0', currency),
  line_item: model,
  quantity: model === null ? null : quantity,
  quantity_unit: model === null || kind === null ? null : QUANTITY_UNITS[kind],
  project_id: account,
  api_key_id: keyId,
});

const usageFields = ({ account, keyId, model, size, requests }: UseSum) => ({
  num_model_requests: requests,
  project_id: account,
  api_key_id: keyId,
  model,
  size,
});

export const videoUsageResult = (sum: UseSum): VideoUsageResult => ({
  object: 'organization.usage.videos.result',
  seconds: sum.quantity,
  ...usageFields(sum),
});

export const imageUsageResult = (sum: UseSum): ImageUsageResult => ({
  object: 'organization.usage.images.result',
  images: sum.quantity,
  ...usageFields(sum),
});

const seconds = (day: string): number => dayStart(day) / 1000;

export const bucketPage = <Result>({ days, next }: UseReport, resultOf: (sum: UseSum) => Result) => ({
  object: 'page' as const,
  data: days.map(({ day, sums }) => ({
    object: 'bucket' as const,
    start_time: seconds(day),
    end_time: seconds(dayAfter(day, 1)),
    results: sums.map(resultOf),
  })),
  has_more: next !== undefined,
  next_page: next === undefined ? null : pageName(next),
});
