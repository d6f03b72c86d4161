import type { AwsCall } from '../../lib/local/emulators/start.ts';

/** The AWS requests of a function; a transaction is one request, however many items it writes. */
export const requestsBy = (calls: readonly AwsCall[], principal: string): string[] =>
  Array.from(
    Map.groupBy(
      calls.filter((call) => call.principal === principal),
      ({ request }) => request,
    ).values(),
    (parts) => parts.map(({ action }) => action).join(' + '),
  );
