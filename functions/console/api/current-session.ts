import * as z from 'zod/mini';
import { BUDGET_THRESHOLDS, type BudgetThreshold } from '../../billing/domain/budget.ts';
import type { Limits } from '../../billing/domain/limits.ts';
import { videoCapabilitiesObject, videoCapabilitiesSchema } from '../../catalogue/api/video-capabilities.ts';
import { IMAGE_SIZES, type ImageSize } from '../../catalogue/domain/image-sizes.ts';
import { VIDEO_MODELS, type VideoCapabilities } from '../../catalogue/domain/models.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import {
  roleSchema,
  type SessionTimesAndPlace,
  sessionFields,
  sessionObject,
  userObject,
  userSchema,
} from '../../identity/api/session-object.ts';
import type { Member } from '../../identity/domain/person.ts';
import type { Role } from '../../identity/domain/roles.ts';
import { FEATURES, type Feature } from '../../platform/domain/features.ts';

export const currentSessionSchema = z
  .object({
    ...sessionFields,
    role: roleSchema.check(z.describe('The role in this account.')),
    user: userSchema,
    accounts: z
      .array(z.object({ project_id: z.string(), role: roleSchema }))
      .check(z.describe('The accounts of the person, by name.')),
    provider: z
      .nullable(z.object({ name: z.string() }))
      .check(z.describe('The OpenID Connect provider of the session. Null if a link opened it.')),
    base_url: z
      .string()
      .check(z.meta({ format: 'uri', description: 'The address of the service. API clients append /v1.' })),
    prices: z
      .object({
        currency: z.string(),
        video_second: z.record(z.string(), z.string()),
        image: z.record(z.string(), z.string()),
      })
      .check(z.describe('Decimal prices by model and by image size. Entries without a price are absent.')),
    offers: z
      .object({
        video: z
          .record(z.string(), z.array(videoCapabilitiesSchema))
          .check(
            z.describe(
              'By model, the options of each upstream. A request is accepted if one upstream offers all of it.',
            ),
          ),
        image: z.boolean().check(z.describe('Whether images can be generated.')),
        image_sizes: z.array(z.enum(IMAGE_SIZES)).check(z.describe('The resolutions of images.')),
      })
      .check(z.describe('What this deployment can generate.')),
    video_retention_days: z.int().check(z.gte(1)),
    features: z
      .array(z.enum(FEATURES))
      .check(z.describe('The features of this deployment that others leave out.')),
    stores_images: z
      .boolean()
      .check(z.describe('Whether generated images are stored as files. Otherwise they are only returned.')),
    sample_generator: z.boolean().check(z.describe('Whether videos are samples and test prompts work.')),
    image_bytes: z
      .int()
      .check(z.gte(1), z.describe('How many bytes the images of a request may have together.')),
    limits: z
      .object({
        monthly_budget: z.nullable(z.string()),
        videos_at_once: z.nullable(z.int()),
        creates_per_minute: z.nullable(z.int()),
      })
      .check(z.describe('Limits of the account. Null means no limit.')),
    budget: z
      .nullable(
        z.object({
          used: z.string().check(z.describe('The amount charged and reserved this UTC month, exactly.')),
          limit: z.string(),
          currency: z.string(),
          threshold: z
            .nullable(z.literal(BUDGET_THRESHOLDS))
            .check(z.describe('In percent: null below 80. 100 also if a request did not fit into the rest.')),
        }),
      )
      .check(z.describe('The monthly budget of the account. Null without one.')),
  })
  .check(z.describe('The caller’s session, and settings of the service that the console shows.'));

export type CurrentSessionObject = z.infer<typeof currentSessionSchema>;

/** A signed-in person's role in this account, and their other accounts. */
type SignedIn = {
  readonly role: Role;
  readonly member: Member | undefined;
  readonly memberships: readonly Member[];
  /** Undefined for a session that a link opened. */
  readonly providerName: string | undefined;
};

type ServiceSettings = {
  readonly baseUrl: string;
  readonly prices: Prices;
  readonly offers: {
    readonly video: Readonly<Record<string, readonly VideoCapabilities[]>>;
    readonly image: boolean;
    readonly imageSizes: readonly ImageSize[];
  };
  readonly features: readonly Feature[];
  readonly videoRetentionDays: number;
  readonly storesImages: boolean;
  readonly sampleGenerator: boolean;
  readonly imageBytes: number;
  readonly limits: Limits;
  /** Undefined if the account has no budget. */
  readonly budget:
    | { readonly used: string; readonly limit: string; readonly threshold: BudgetThreshold | null }
    | undefined;
};

export const currentSessionObject = (
  session: SessionTimesAndPlace,
  { role, member, memberships, providerName }: SignedIn,
  settings: ServiceSettings,
): CurrentSessionObject => ({
  ...sessionObject(session),
  role,
  user: userObject(member),
  accounts: memberships.map((each) => ({ project_id: each.account, role: each.role })),
  provider: providerName === undefined ? null : { name: providerName },
  base_url: settings.baseUrl,
  prices: {
    currency: settings.prices.currency,
    video_second: { ...settings.prices.videoSecond },
    image: { ...settings.prices.image },
  },
  offers: {
    video: Object.fromEntries(
      VIDEO_MODELS.flatMap((model) => {
        const sets = settings.offers.video[model];
        return sets === undefined ? [] : [[model, sets.map((can) => videoCapabilitiesObject(model, can))]];
      }),
    ),
    image: settings.offers.image,
    image_sizes: [...settings.offers.imageSizes],
  },
  video_retention_days: settings.videoRetentionDays,
  features: [...settings.features],
  stores_images: settings.storesImages,
  sample_generator: settings.sampleGenerator,
  image_bytes: settings.imageBytes,
  limits: {
    monthly_budget: settings.limits.monthlyBudget ?? null,
    videos_at_once: settings.limits.videosAtOnce ?? null,
    creates_per_minute: settings.limits.createsPerMinute ?? null,
  },
  budget: settings.budget === undefined ? null : { ...settings.budget, currency: settings.prices.currency },
});
