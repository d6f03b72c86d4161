import type { VideoCapabilities } from '../../catalogue/domain/models.ts';

/** How an upstream is reached; its credential is in the secret. */
type Gemini = { readonly kind: 'gemini'; readonly baseUrl: string; readonly keyHeader: string };
export type Vertex = {
  readonly kind: 'vertex';
  readonly project: string;
  readonly location: string;
  /** Where the upstream writes videos, `gs://bucket/prefix/`; by default they are part of its response. */
  readonly storageUri?: string | undefined;
  /** Default: the upstream's own default. */
  readonly personGeneration?: string | undefined;
  /** Default: Google's address for the location. */
  readonly baseUrl?: string | undefined;
  readonly storageBaseUrl?: string | undefined;
};

type OpenRouter = { readonly kind: 'openrouter'; readonly baseUrl: string };

/**
 * Where a server of the Videos API reads the options that the API does not have: nowhere, in `metadata`, or among the
 * other fields. Another deployment of this service knows all of them, and `Idempotency-Key`.
 */
export const OPTION_STYLES = ['none', 'metadata', 'top-level', 'media-generation'] as const;
export type OptionStyle = (typeof OPTION_STYLES)[number];

type OpenAi = { readonly kind: 'openai'; readonly baseUrl: string; readonly options: OptionStyle };

/** Google's Interactions API: with a key at the Gemini API, or in a project of Vertex AI. */
type Interactions = Pick<Vertex, 'location' | 'storageUri' | 'baseUrl' | 'storageBaseUrl'> & {
  readonly kind: 'interactions';
  readonly keyHeader: string;
  readonly project?: string | undefined;
};

/** Ours to theirs, where they differ from the defaults of the kind; one with null is not offered there. */
type ModelNames = Readonly<Record<string, string | null>>;

type Offers = { readonly [Part in keyof VideoCapabilities]?: VideoCapabilities[Part] | undefined };

export type Upstream = (Gemini | Vertex | Interactions | OpenRouter | OpenAi) & {
  readonly name: string;
  /** The name of its credential in the secret; default its own name. */
  readonly credential?: string | undefined;
  readonly models: ModelNames;
  /** Less than the kind can do, if this upstream cannot do all of it. */
  readonly offers?: Offers | undefined;
  /** The lowest number is tried first. */
  readonly priority: number;
  /** Its share among upstreams of the same priority. */
  readonly weight: number;
  readonly submitsPerMinute?: number | undefined;
  readonly videosAtOnce?: number | undefined;
};

/** Stored with a task, so that its operation is found even after the upstream has left the settings. */
export type UpstreamReference = {
  readonly name: string;
  /** The upstream as JSON. */
  readonly definition?: string | undefined;
  /** The upstream's model, if it is another one than the task names. */
  readonly substitute?: string | undefined;
};

/** The functions of the generators of all upstreams: the last argument is the one that a call is for. */
export type ForUpstreams<Generator> = {
  readonly [Name in keyof Generator]: NonNullable<Generator[Name]> extends (
    ...given: infer Given
  ) => infer Answer
    ? (...given: [...Given, upstream: UpstreamReference]) => Answer
    : never;
};

export const credentialName = ({ name, credential }: Upstream): string => credential ?? name;

/** Whether all submits with the same key start one operation. */
export const isIdempotent = (upstream: Upstream): boolean =>
  upstream.kind === 'openai' && upstream.options === 'media-generation';

export const isLimited = ({ submitsPerMinute, videosAtOnce }: Upstream): boolean =>
  submitsPerMinute !== undefined || videosAtOnce !== undefined;

/** By priority; in random order among equals, the heavier ones more often first. */
export const inOrder = (upstreams: readonly Upstream[], random: () => number): readonly Upstream[] =>
  upstreams
    .map((upstream) => ({ upstream, draw: -Math.log(1 - random()) / upstream.weight }))
    .toSorted((one, other) => one.upstream.priority - other.upstream.priority || one.draw - other.draw)
    .map(({ upstream }) => upstream);
