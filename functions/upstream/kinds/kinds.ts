import * as z from 'zod/mini';
import type { Declaration } from './declaration.ts';
import { gemini } from './gemini/declaration.ts';
import { interactions } from './interactions/declaration.ts';
import { openai } from './openai/declaration.ts';
import { openrouter } from './openrouter/declaration.ts';
import { vertex } from './vertex/declaration.ts';

/** The kinds of upstreams. A kind is registered here, and its adapter in `functions/upstream/clients.ts`. */
const DECLARED = { gemini, vertex, interactions, openrouter, openai };

export type Kind = keyof typeof DECLARED;

const isKind = (name: string): name is Kind => Object.hasOwn(DECLARED, name);
export const KIND_NAMES: readonly Kind[] = Object.keys(DECLARED).filter(isKind);

/** The settings of an upstream. */
export type Upstream<Given extends Kind = Kind> = {
  readonly [Name in Given]: { readonly kind: Name } & Readonly<z.output<(typeof DECLARED)[Name]['settings']>>;
}[Given];

/** The kinds that make images: those that can express a part of an image request. */
export type ImageKind = {
  [Name in Kind]: (typeof DECLARED)[Name]['imageParts'] extends readonly [] ? never : Name;
}[Kind];

export const KINDS: { readonly [Name in Kind]: Declaration<Upstream<Name>> } = DECLARED;

export const declarationFor = <Given extends Kind>(upstream: Upstream<Given>): Declaration<Upstream<Given>> =>
  KINDS[upstream.kind];

const [first, ...others] = Object.values(DECLARED).map(({ settings }) => settings);
if (first === undefined) throw new Error('there is no kind of upstream');

export const upstreamSchema = z.discriminatedUnion('kind', [first, ...others]);
