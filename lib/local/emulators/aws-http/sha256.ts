import { createHash, createHmac } from 'node:crypto';

/** Node's SHA-256 in the shape that the SDK's signer asks for. */
export class Sha256 {
  #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytes(secret));
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a signature is computed once');
  }
}

const bytes = (secret: string | ArrayBuffer | ArrayBufferView): Buffer => {
  if (typeof secret === 'string') return Buffer.from(secret, 'utf8');
  if (ArrayBuffer.isView(secret)) return Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength);
  return Buffer.from(secret);
};

export const sha256Hex = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');
