import * as z from 'zod/mini';
import { json, text, texts } from '../platform/runtime/environment.ts';
import { combineAliases, namesToModels } from './domain/model-aliases.ts';

export const PRICES = { PRICES: json(z.object({ currency: text, videoSecond: texts, image: texts })) };

export const ALIASES = {
  MODEL_ALIASES: z.pipe(
    json(z.object({ builtIn: z.array(z.string()), own: z.record(z.string(), z.array(z.string())) })),
    z.transform(({ builtIn, own }) => combineAliases({ builtIn, own: namesToModels(own) })),
  ),
};
