import { wholeMp4 } from '../../../support/sample-video.ts';
import type { Answer } from './upstream-server.ts';

/** Answers of the upstream, including those that the network breaks. */

export const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const html =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');

export const error = (
  code: number,
  status: string,
  message: string,
  details: readonly unknown[] = [],
): Answer => json(code, { error: { code, message, status, details } });

/** In a header, for which proxies use numbers of any kind. */
export const busyFor =
  (seconds: string): Answer =>
  (response) =>
    void response.writeHead(429, { 'retry-after': seconds }).end();

export const silence: Answer = () => {};

/** More headers than Node's client accepts. */
export const hugeHeader: Answer = (response) =>
  void response.writeHead(200, { 'x-huge': 'A'.repeat(100_000) }).end();

export const reset: Answer = (response) => void response.socket?.resetAndDestroy();

export const started: Answer = json(200, { name: 'models/video/operations/1' });

export const pending: Answer = json(200, { name: 'models/video/operations/1' });

const done = (response: unknown): Answer =>
  json(200, { name: 'models/video/operations/1', done: true, response: { generateVideoResponse: response } });

const FILE_PATH = '/v1beta/files/abcdefghijkl:download?alt=media';

export const sample: Answer = (response, server) =>
  done({ generatedSamples: [{ video: { uri: `http://127.0.0.1:${server.port}${FILE_PATH}` } }] })(
    response,
    server,
  );

export const bytes =
  (content: Uint8Array): Answer =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'video/mp4', 'content-length': content.length })
      .end(content);

export const file: Answer = bytes(wholeMp4());

/** Ends before the promised length. */
export const brokenOff: Answer = (response) => {
  const content = wholeMp4();
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, 20), () => response.socket?.destroy());
};

/** Half of the file, byte by byte, too slowly for any timeout. */
export const trickle: Answer = (response) => {
  const content = wholeMp4();
  response.writeHead(200, { 'content-length': content.length });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < content.length / 2) response.write(content.subarray(sent, sent + 1));
    sent += 1;
  }, 50);
  response.once('close', () => clearInterval(timer));
};

/** Another name of the same machine counts as another host. */
export const redirectElsewhere: Answer = (response, { port }) =>
  void response.writeHead(302, { location: `http://localhost:${port}${FILE_PATH}` }).end();
