import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AwsError } from '../aws-http/aws-error.ts';

type Running = { update(chunk: Uint8Array): void; base64(): string };

const runningCrc32 = (): Running => {
  let value = 0;
  return {
    update(chunk) {
      value = crc32(chunk, value);
    },
    base64() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes.toString('base64');
    },
  };
};

const runningHash = (name: string) => (): Running => {
  const hash = createHash(name);
  return { update: (chunk) => void hash.update(chunk), base64: () => hash.digest('base64') };
};

const ALGORITHMS: Readonly<Record<string, () => Running>> = {
  crc32: runningCrc32,
  sha1: runningHash('sha1'),
  sha256: runningHash('sha256'),
};

const PREFIX = 'x-amz-checksum-';
const NOT_VALUES = new Set(['algorithm', 'type', 'mode']);

export const runningChecksum = (algorithm: string): Running => {
  const create = ALGORITHMS[algorithm.toLowerCase()];
  if (create) return create();
  throw new AwsError(501, 'NotImplemented', `Checksums by ${algorithm} are not emulated.`);
};

type Declared = { readonly algorithm: string; readonly value: string | undefined };

/** The checksum that a request carries, or announces for after its body. */
export const declaredChecksum = (headers: Readonly<Record<string, string>>): Declared | undefined => {
  const trailer = headers['x-amz-trailer'];
  if (trailer?.startsWith(PREFIX)) return { algorithm: trailer.slice(PREFIX.length), value: undefined };
  const header = Object.keys(headers).find(
    (name) => name.startsWith(PREFIX) && !NOT_VALUES.has(name.slice(PREFIX.length)),
  );
  return header === undefined
    ? undefined
    : { algorithm: header.slice(PREFIX.length), value: headers[header] };
};

export const checksumHeader = (algorithm: string): string => `${PREFIX}${algorithm.toLowerCase()}`;
