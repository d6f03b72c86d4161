import { allOf } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

const ORGANIZATION = '/v1/organization';
const PROJECT = `${ORGANIZATION}/projects/{project_id}`;
/** A file of years of charges takes many reads. */
const FILE_SECONDS = 300;

/** What an account used, paid and may still spend, for the console and for admin keys. */
export const addUsageEndpoints = ({ functions, api, keys, usage, charges, accounts }: Resources): void => {
  const key = keys.find();
  const days = allOf(key, usage.read());
  const limits = allOf(key, accounts.readLimits());
  const list = functions.create('list-charges', {
    description: 'Lists charge records',
    timeoutSeconds: FILE_SECONDS,
    memoryMegabytes: 1024,
    grants: allOf(key, charges.list()),
  });

  api.route('GET', `${ORGANIZATION}/costs`, functions.endpoint('get-costs', 'Tells costs by day', days));
  api.route(
    'GET',
    `${ORGANIZATION}/usage/videos`,
    functions.endpoint('get-video-usage', 'Tells seconds of video by day', days),
  );
  api.route(
    'GET',
    `${ORGANIZATION}/usage/images`,
    functions.endpoint('get-image-usage', 'Tells images by day', days),
  );
  api.route('GET', `${ORGANIZATION}/charges`, list, { streamSeconds: FILE_SECONDS });
  api.route(
    'GET',
    `${PROJECT}/spend_limit`,
    functions.endpoint('get-spend-limit', 'Tells the budget of an account', limits),
  );
  api.route(
    'GET',
    `${PROJECT}/rate_limits`,
    functions.endpoint('list-rate-limits', 'Tells the rate limits of an account', limits),
  );
};
