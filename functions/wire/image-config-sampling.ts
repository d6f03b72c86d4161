import { invalidField } from '../domain/errors.ts';
import type { Sampling } from '../domain/image-request.ts';
import { readWholeNumber } from './typed-fields.ts';

export const readNumber = (param: string, value: unknown, low: number, high: number): number | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw invalidField(param, `${param} must be a number from ${low} to ${high}.`);
};

const MAX_SEED = 2 ** 31 - 1;

type Places = Readonly<Record<keyof Sampling, readonly [param: string, value: unknown]>>;

export const readSampling = ({ maxOutputTokens, temperature, topP, seed }: Places): Sampling => {
  const limit = readWholeNumber(...maxOutputTokens);
  if (limit === 0) throw invalidField(maxOutputTokens[0], `${maxOutputTokens[0]} must be at least 1.`);
  return {
    maxOutputTokens: limit,
    temperature: readNumber(...temperature, 0, 2),
    topP: readNumber(...topP, 0, 1),
    seed: readNumber(...seed, -MAX_SEED, MAX_SEED),
  };
};

/** One image a request: a client that asks for more must not take the one for all of them. */
export const requireOne = (param: string, value: unknown): void => {
  if (value !== undefined && value !== 1)
    throw invalidField(param, `${param} must be 1: one image is generated a request.`);
};
