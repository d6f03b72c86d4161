import * as z from 'zod/mini';
import { json, text, texts } from '../platform/runtime/environment.ts';
import { combineAliases, type ModelNames, namesToModels } from './domain/model-aliases.ts';

export const PRICES = { PRICES: json(z.object({ currency: text, videoSecond: texts, image: texts })) };

export const NAMES = {
  MODEL_NAMES: z.pipe(
    json(
      z.object({
        builtIn: z.array(z.string()),
        own: z.record(z.string(), z.array(z.string())),
        defaults: z.object({ video: z.optional(z.string()), image: z.optional(z.string()) }),
      }),
    ),
    z.transform(
      ({ builtIn, own, defaults }): ModelNames => ({
        aliases: combineAliases({ builtIn, own: namesToModels(own) }),
        defaults,
      }),
    ),
  ),
};
