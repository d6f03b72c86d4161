import type { IncomingMessage } from 'node:http';
import { startServer } from '../support/server.ts';

/**
 * `refuses`: 403 to everything, worded as API Gateway does; `empty`: 200 without headers and body, as Lambda responds
 * for a stream without a write; `never ends`: tasks that stay in progress; `unlike`: a list of models without ours;
 * `throttled`: no execution left for the first request, then like `refuses`.
 */
type Behaviour = 'refuses' | 'empty' | 'never ends' | 'unlike' | 'throttled';

type Stub = AsyncDisposable & {
  readonly url: string;
  readonly created: () => readonly string[];
  readonly deleted: () => readonly string[];
};

const video = {
  modes: ['text', 'first_frame', 'first_and_last_frame', 'references'],
  seconds: [4, 6, 8],
  resolutions: ['720p'],
  aspect_ratios: ['16:9'],
};
const MODELS = {
  data: [
    { id: 'video-3.1-fast-generate-preview', capabilities: video },
    { id: 'image-3.1-flash-image-preview' },
  ],
};

/** Serves a faulty deployment, which the local cloud cannot simulate. */
export const startStub = async (behaviour: Behaviour): Promise<Stub> => {
  const created: string[] = [];
  const deleted: string[] = [];
  let requests = 0;

  const respond = ({ method, url = '', headers }: IncomingMessage): readonly [number, unknown] => {
    if (behaviour === 'throttled' && requests === 1) return [503, { error: { code: 'overloaded' } }];
    if (url === '/v1/models') return [200, behaviour === 'unlike' ? {} : MODELS];
    if (behaviour === 'refuses' || behaviour === 'throttled') {
      const seen = headers.authorization?.slice('Bearer '.length) ?? '';
      return [403, { message: `not a valid key=value pair: ${seen} at http://x/y?X-Amz-Signature=1` }];
    }
    if (method === 'POST' && url === '/v1/videos') {
      const id = `task_${requests}`;
      created.push(id);
      return [200, { id, task_id: id, status: 'queued' }];
    }
    if (method === 'DELETE') {
      deleted.push(url.slice('/v1/videos/'.length));
      return [200, { deleted: true }];
    }
    return [200, { status: 'in_progress' }];
  };

  const { url: address, close } = await startServer((request, response) => {
    request.resume().once('end', () => {
      requests += 1;
      if (behaviour === 'empty' && request.url !== '/v1/models') {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end();
        return;
      }
      const [status, body] = respond(request);
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': `req-${requests}`,
        'x-amz-apigw-id': 'abc=',
      });
      response.end(JSON.stringify(body));
    });
  });
  return {
    url: address,
    created: () => created,
    deleted: () => deleted,
    [Symbol.asyncDispose]: close,
  };
};
