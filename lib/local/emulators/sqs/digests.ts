import { createHash } from 'node:crypto';
import type { MessageAttributes } from './inputs.ts';

export const md5 = (data: string | Uint8Array): string => createHash('md5').update(data).digest('hex');

const counted = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const STRING_VALUE = Buffer.from([1]);
const BINARY_VALUE = Buffer.from([2]);

/** The digest that SQS documents for message attributes: name, type and value of each, by name, with lengths. */
export const md5OfAttributes = (attributes: MessageAttributes): string | undefined => {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const parts = names.flatMap((name) => {
    const { DataType = '', StringValue, BinaryValue } = attributes[name] ?? {};
    const value =
      StringValue === undefined
        ? [BINARY_VALUE, counted(Buffer.from(BinaryValue ?? '', 'base64'))]
        : [STRING_VALUE, counted(Buffer.from(StringValue))];
    return [counted(Buffer.from(name)), counted(Buffer.from(DataType)), ...value];
  });
  return md5(Buffer.concat(parts));
};
