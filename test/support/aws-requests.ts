import type { AwsCall } from '../../lib/local/emulators/start.ts';

/** What a function asked of AWS, request by request; a transaction is one request for all that it writes. */
export const requestsBy = (calls: readonly AwsCall[], principal: string): string[] =>
  Array.from(
    Map.groupBy(
      calls.filter((call) => call.principal === principal),
      ({ request }) => request,
    ).values(),
    (parts) => parts.map(({ action }) => action).join(' + '),
  );
