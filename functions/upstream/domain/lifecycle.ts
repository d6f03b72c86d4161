import { MODELS } from '../../catalogue/domain/models.ts';
import { DAY } from '../../platform/domain/durations.ts';
import type { Platform } from '../kinds/declaration.ts';
import { declarationFor } from '../kinds/kinds.ts';
import { type Upstream, upstreamModelName } from './upstreams.ts';

/** When the models of public platforms end. The dates are the platforms' own, where a source states them. */

type Lifecycle = readonly [
  platform: Platform,
  model: string,
  /** The UTC day on which the platform stops offering the model, or may stop. */
  ends: string,
  replacement?: string | undefined,
  /** Whether the platform may still postpone the day. */
  isEarliest?: true,
];

/** When the table was last compared with its sources. */
export const LIFECYCLE_CHECKED = '2026-11-17';

/**
 * Sources: Google's deprecations page and changelog of the Gemini API, the model pages and release notes of Vertex AI
 * (now Gemini Enterprise Agent Platform), and OpenAI's deprecations page.
 */
export const LIFECYCLES: readonly Lifecycle[] = [
  ['Gemini API', 'veo-3.1-generate-preview', '2026-10-22', 'gemini-omni-1.1-flash'],
  ['Vertex AI', 'veo-3.1-generate-preview', '2026-04-02', 'veo-3.1-generate-001'],
  ['Gemini API', 'veo-3.1-fast-generate-preview', '2026-10-22', 'gemini-omni-1.1-flash'],
  ['Vertex AI', 'veo-3.1-fast-generate-preview', '2026-04-02', 'veo-3.1-fast-generate-001'],
  ['Gemini API', 'veo-3.1-lite-generate-preview', '2026-10-22', 'gemini-omni-1.1-flash'],
  ['Vertex AI', 'veo-3.1-lite-generate-preview', '2026-04-02', 'veo-3.1-lite-generate-001'],
  ['Gemini API', 'veo-3.0-generate-001', '2026-06-30'],
  ['Vertex AI', 'veo-3.0-generate-001', '2026-06-30', 'veo-3.1-generate-001'],
  ['Gemini API', 'veo-3.0-fast-generate-001', '2026-06-30'],
  ['Vertex AI', 'veo-3.0-fast-generate-001', '2026-06-30', 'veo-3.1-generate-001'],
  ['Gemini API', 'veo-2.0-generate-001', '2026-06-30'],
  ['Vertex AI', 'veo-2.0-generate-001', '2026-06-30', 'veo-3.1-generate-001'],
  ['Vertex AI', 'veo-3.1-generate-001', '2027-05-04', undefined, true],
  ['Vertex AI', 'veo-3.1-fast-generate-001', '2027-05-04', undefined, true],
  ['Gemini API', 'gemini-omni-flash-preview', '2026-09-30', 'gemini-omni-1.1-flash'],
  ['Vertex AI', 'gemini-omni-flash-preview', '2027-06-30'],
  ['Gemini API', 'gemini-3.1-flash-image-preview', '2026-06-25', 'gemini-3.1-flash-image'],
  ['Vertex AI', 'gemini-3.1-flash-image-preview', '2026-07-19', 'gemini-3.1-flash-image'],
  ['Vertex AI', 'gemini-3.1-flash-image', '2027-05-28', undefined, true],
  ['Gemini API', 'gemini-3-pro-image-preview', '2026-06-25', 'gemini-3-pro-image'],
  ['Vertex AI', 'gemini-3-pro-image-preview', '2026-07-19', 'gemini-3-pro-image'],
  ['Vertex AI', 'gemini-3-pro-image', '2027-05-28', undefined, true],
  ['Gemini API', 'gemini-2.5-flash-image', '2026-10-02', 'gemini-3.1-flash-image', true],
  ['Vertex AI', 'gemini-2.5-flash-image', '2027-03-15', 'gemini-3.1-flash-lite-image'],
  ['Gemini API', 'imagen-4.0-generate-001', '2026-08-17', 'gemini-3.1-flash-image'],
  ['Gemini API', 'imagen-4.0-ultra-generate-001', '2026-08-17', 'gemini-3.1-flash-image'],
  ['Gemini API', 'imagen-4.0-fast-generate-001', '2026-08-17', 'gemini-3.1-flash-image'],
  ['OpenAI', 'sora-2', '2026-09-24'],
  ['OpenAI', 'sora-2-pro', '2026-09-24'],
];

const HOSTS: Readonly<Record<string, Platform>> = {
  'generativelanguage.googleapis.com': 'Gemini API',
  'api.openai.com': 'OpenAI',
};

/** Undefined for other gateways, whose names and dates are their own. */
const findPlatform = (upstream: Upstream): Platform | undefined =>
  declarationFor(upstream).platform?.(upstream) ?? HOSTS[URL.parse(upstream.baseUrl ?? '')?.host ?? ''];

/** An operator needs this long to choose another model, to test it and to deploy. */
const NOTICE_DAYS = 60;

const describeEnd = ([platform, model, ends, replacement, isEarliest]: Lifecycle, now: number): string => {
  const end = Date.parse(ends) <= now ? `ended on ${ends}` : `ends on ${ends}`;
  const when = isEarliest === true ? `${end} or later` : end;
  return `${model} on ${platform} ${when}.${replacement === undefined ? '' : ` The platform names ${replacement} as its replacement.`}`;
};

/** One sentence for each configured model that has ended, or ends within 60 days. */
export const lifecycleWarnings = (upstreams: readonly Upstream[], now: number): readonly string[] =>
  upstreams.flatMap((upstream) => {
    const platform = findPlatform(upstream);
    const names = new Set(MODELS.flatMap((model) => upstreamModelName(upstream, model) ?? []));
    return LIFECYCLES.filter(
      ([of, model, ends]) =>
        of === platform && names.has(model) && Date.parse(ends) - now < NOTICE_DAYS * DAY,
    ).map((row) => `Upstream ${upstream.name}: ${describeEnd(row, now)}`);
  });
