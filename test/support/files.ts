import { JPEG } from './images.ts';

/** A JPEG of so many bytes: what comes after its end is no part of the picture. */
export const jpegWithBytes = (bytes: number): Buffer =>
  Buffer.concat([JPEG, Buffer.alloc(bytes - JPEG.length)]);

type Upload = {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
};

/** How an answer says that the bytes are to be sent. */
export const readUpload = (body: Readonly<Record<string, unknown>>): Upload => {
  const { url, method, headers } = Object(body.upload);
  if (typeof url !== 'string' || typeof method !== 'string')
    throw new Error(`no upload in ${JSON.stringify(body)}`);
  return { url, method, headers };
};

/** Sends bytes as it was said, but for what is changed; answers with S3's status and error code. */
export const send = async (
  { url, method, headers }: Upload,
  bytes: Buffer,
  changed: Readonly<Record<string, string>> = {},
): Promise<readonly [status: number, code: string | undefined]> => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...changed },
    body: new Uint8Array(bytes),
  });
  return [response.status, /<Code>(\w+)</.exec(await response.text())?.[1]];
};
