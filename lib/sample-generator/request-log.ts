import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type RequestRecord = {
  readonly host: 'upstream' | 'foreign';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};

const REMEMBERED = 1000;

export const requestLog = () => {
  const records: RequestRecord[] = [];
  return {
    add: (host: RequestRecord['host'], { method = '', url = '', headers }: IncomingMessage) => {
      records.push({ host, method, path: url, headers });
      if (records.length > REMEMBERED) records.shift();
    },
    all: (): readonly RequestRecord[] => [...records],
  };
};
