import type { Answer, ServiceAccess } from './http.ts';

type Headers = Readonly<Record<string, string>>;

/** Starts an upload as Google's protocol asks for it, and returns its answer. */
export const startUpload = async (
  { baseUrl, apiKey }: ServiceAccess,
  bytes: number | undefined,
  headers: Headers = {},
): Promise<Answer> => {
  const response = await fetch(`${baseUrl}/upload/v1beta/files?key=${apiKey}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      ...(bytes === undefined ? {} : { 'x-goog-upload-header-content-length': String(bytes) }),
      ...headers,
    },
    body: JSON.stringify({ file: { display_name: 'first' } }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};

export const readUploadUrl = ({ headers, body }: Answer): string => {
  const url = headers.get('x-goog-upload-url');
  if (url === null) throw new Error(`no upload URL with ${JSON.stringify(body)}`);
  return url;
};

/** Sends a command to the URL of an upload, without a key. */
export const sendCommand = async (
  url: string,
  command: string,
  { bytes, offset = 0, headers = {} }: { bytes?: Uint8Array; offset?: number; headers?: Headers } = {},
): Promise<Answer & { readonly uploadStatus: string | null }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'x-goog-upload-command': command,
      ...(bytes === undefined ? {} : { 'x-goog-upload-offset': String(offset) }),
      ...headers,
    },
    ...(bytes === undefined ? {} : { body: new Uint8Array(bytes) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(await response.text()),
    uploadStatus: response.headers.get('x-goog-upload-status'),
  };
};

export const relatedBody = (metadata: object, bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Type: application/json; charset=utf-8\r\n\r\n'),
    Buffer.from(JSON.stringify(metadata)),
    Buffer.from('\r\n--b\r\nContent-Type: image/png\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--b--'),
  ]);
