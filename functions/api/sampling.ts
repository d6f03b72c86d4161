import { invalidField } from '../domain/errors.ts';
import type { Sampling } from '../domain/image-request.ts';
import { readWholeNumber } from './typed-fields.ts';

const MAX_SEED = 2 ** 31 - 1;

type Place = readonly [param: string, value: unknown];

const readNumber = ([param, value]: Place, low: number, high: number): number | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw invalidField(param, `${param} must be a number from ${low} to ${high}.`);
};

const readSeed = (place: Place): number | undefined => {
  const seed = readNumber(place, -MAX_SEED, MAX_SEED);
  if (seed !== undefined && !Number.isInteger(seed))
    throw invalidField(place[0], `${place[0]} must be a whole number.`);
  return seed;
};

const readLimit = (place: Place): number | undefined => {
  const limit = readWholeNumber(...place);
  if (limit === 0) throw invalidField(place[0], `${place[0]} must be at least 1.`);
  return limit;
};

/** How the model is to work, from the places where each format has it. */
export const readSampling = (places: Readonly<Record<keyof Sampling, Place>>): Sampling => ({
  maxOutputTokens: readLimit(places.maxOutputTokens),
  temperature: readNumber(places.temperature, 0, 2),
  topP: readNumber(places.topP, 0, 1),
  seed: readSeed(places.seed),
});

/** One image a request: a client that asks for more must not take the one for all of them. */
export const requireOne = (param: string, value: unknown): void => {
  if (value !== undefined && value !== 1)
    throw invalidField(param, `${param} must be 1: one image is generated a request.`);
};
