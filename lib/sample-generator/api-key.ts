import type { IncomingMessage } from 'node:http';
import { UpstreamError } from './upstream-error.ts';

const INVALID_KEY = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
};

export const checkKey = (request: IncomingMessage, keyHeader: string, apiKey: string) => {
  const given = request.headers[keyHeader];
  if (given === undefined) {
    throw new UpstreamError(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (given !== apiKey)
    throw new UpstreamError(400, 'API key not valid. Please pass a valid API key.', [INVALID_KEY]);
};
