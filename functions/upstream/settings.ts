import * as z from 'zod/mini';
import { json, text, UPSTREAM_STATE } from '../platform/runtime/environment.ts';
import { upstreamSchema } from './kinds/kinds.ts';

/** The upstreams alone, for functions that must know what they can do. */
export const OFFER = { UPSTREAMS: json(z.array(upstreamSchema)) };
export const UPSTREAM_LIST = { ...UPSTREAM_STATE, ...OFFER };
export const UPSTREAMS = { ...UPSTREAM_LIST, UPSTREAM_SECRET_ARN: text };
