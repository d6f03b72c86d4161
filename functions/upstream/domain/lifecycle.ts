import { MODELS } from '../../catalogue/domain/models.ts';
import { DAY } from '../../platform/domain/durations.ts';
import { theirName } from './model-names.ts';
import type { Upstream } from './upstreams.ts';

/** When the models of public platforms end. The dates are the platforms' own, where a source states them. */

type Platform = 'Gemini API' | 'Vertex AI' | 'OpenAI';

type Lifecycle = {
  readonly platform: Platform;
  readonly model: string;
  /** The UTC day on which the platform stops offering the model, or may stop. */
  readonly ends: string;
  /** Whether the platform may still postpone the day. */
  readonly isEarliest?: true;
  readonly replacement: string | undefined;
};

/** When the table was last compared with its sources. */
export const LIFECYCLE_CHECKED = '2026-11-17';

/**
 * Sources: Google's deprecations page and changelog of the Gemini API, the model pages and release notes of Vertex AI
 * (now Gemini Enterprise Agent Platform), and OpenAI's deprecations page.
 */
export const LIFECYCLES: readonly Lifecycle[] = [
  ...['veo-3.1-generate-preview', 'veo-3.1-fast-generate-preview', 'veo-3.1-lite-generate-preview'].flatMap(
    (model): Lifecycle[] => [
      { platform: 'Gemini API', model, ends: '2026-10-22', replacement: 'gemini-omni-1.1-flash' },
      {
        platform: 'Vertex AI',
        model,
        ends: '2026-04-02',
        replacement: model.replace('-preview', '-001'),
      },
    ],
  ),
  ...['veo-3.0-generate-001', 'veo-3.0-fast-generate-001', 'veo-2.0-generate-001'].flatMap(
    (model): Lifecycle[] => [
      { platform: 'Gemini API', model, ends: '2026-06-30', replacement: undefined },
      { platform: 'Vertex AI', model, ends: '2026-06-30', replacement: 'veo-3.1-generate-001' },
    ],
  ),
  ...['veo-3.1-generate-001', 'veo-3.1-fast-generate-001'].map(
    (model): Lifecycle => ({
      platform: 'Vertex AI',
      model,
      ends: '2027-05-04',
      isEarliest: true,
      replacement: undefined,
    }),
  ),
  {
    platform: 'Gemini API',
    model: 'gemini-omni-flash-preview',
    ends: '2026-09-30',
    replacement: 'gemini-omni-1.1-flash',
  },
  {
    platform: 'Vertex AI',
    model: 'gemini-omni-flash-preview',
    ends: '2027-06-30',
    replacement: undefined,
  },
  ...['gemini-3.1-flash-image', 'gemini-3-pro-image'].flatMap((model): Lifecycle[] => [
    { platform: 'Gemini API', model: `${model}-preview`, ends: '2026-06-25', replacement: model },
    { platform: 'Vertex AI', model: `${model}-preview`, ends: '2026-07-19', replacement: model },
    { platform: 'Vertex AI', model, ends: '2027-05-28', isEarliest: true, replacement: undefined },
  ]),
  {
    platform: 'Gemini API',
    model: 'gemini-2.5-flash-image',
    ends: '2026-10-02',
    isEarliest: true,
    replacement: 'gemini-3.1-flash-image',
  },
  {
    platform: 'Vertex AI',
    model: 'gemini-2.5-flash-image',
    ends: '2027-03-15',
    replacement: 'gemini-3.1-flash-lite-image',
  },
  ...['imagen-4.0-generate-001', 'imagen-4.0-ultra-generate-001', 'imagen-4.0-fast-generate-001'].map(
    (model): Lifecycle => ({
      platform: 'Gemini API',
      model,
      ends: '2026-08-17',
      replacement: 'gemini-3.1-flash-image',
    }),
  ),
  ...['sora-2', 'sora-2-pro'].map(
    (model): Lifecycle => ({ platform: 'OpenAI', model, ends: '2026-09-24', replacement: undefined }),
  ),
];

const HOSTS: Readonly<Record<string, Platform>> = {
  'generativelanguage.googleapis.com': 'Gemini API',
  'api.openai.com': 'OpenAI',
};

/** Undefined for other gateways, whose names and dates are their own. */
const findPlatform = (upstream: Upstream): Platform | undefined => {
  if ('project' in upstream && upstream.project !== undefined) return 'Vertex AI';
  // Only this kind needs no address.
  if (upstream.baseUrl === undefined) return 'Gemini API';
  return HOSTS[URL.parse(upstream.baseUrl)?.host ?? ''];
};

/** An operator needs this long to choose another model, to test it and to deploy. */
const NOTICE_DAYS = 60;

const describeEnd = ({ platform, model, ends, isEarliest, replacement }: Lifecycle, now: number): string => {
  const end = Date.parse(ends) <= now ? `ended on ${ends}` : `ends on ${ends}`;
  const when = isEarliest === true ? `${end} or later` : end;
  return `${model} on ${platform} ${when}.${replacement === undefined ? '' : ` The platform names ${replacement} as its replacement.`}`;
};

/** One sentence for each configured model that has ended, or ends within 60 days. */
export const lifecycleWarnings = (upstreams: readonly Upstream[], now: number): readonly string[] =>
  upstreams.flatMap((upstream) => {
    const platform = findPlatform(upstream);
    const names = new Set(MODELS.flatMap((model) => theirName(upstream, model) ?? []));
    return LIFECYCLES.filter(
      (row) =>
        row.platform === platform && names.has(row.model) && Date.parse(row.ends) - now < NOTICE_DAYS * DAY,
    ).map((row) => `Upstream ${upstream.name}: ${describeEnd(row, now)}`);
  });
