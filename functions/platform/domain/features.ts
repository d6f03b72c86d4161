/**
 * What a deployment can leave out: its functions, tables, alarms, pages, routes and operations. Everything else, such as
 * videos, images, files, keys and usage, is part of every deployment.
 */
export const FEATURES = [
  'webhooks',
  'shares',
  'collections',
  'mcp',
  'people',
  'google',
  'responses',
] as const;
export type Feature = (typeof FEATURES)[number];
