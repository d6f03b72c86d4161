import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts, dynamoUsage } from '../billing/adapters/dynamo-accounts.ts';
import { chargeFor, imagePrice } from '../billing/domain/charges.ts';
import { monthEnd, toUtcMonth } from '../billing/domain/periods.ts';
import { effectiveLimits, predictRefusal } from '../billing/domain/reserve.ts';
import { IMAGE_MODEL } from '../catalogue/domain/models.ts';
import type { Prices } from '../catalogue/domain/prices.ts';
import type { Caller } from '../identity/domain/api-key.ts';
import { refuseUnofferedImage } from '../images/domain/offered.ts';
import { modelObject } from '../models/api/models.ts';
import { parseBody } from '../platform/body/parse.ts';
import type { DomainError } from '../platform/domain/errors.ts';
import { isNegative, minus, times } from '../platform/domain/money.ts';
import { offeredModels } from '../upstream/domain/capabilities.ts';
import { chargedSize } from '../upstream/domain/image-request.ts';
import { refuseUnoffered } from '../videos/domain/offered.ts';
import type { Arguments, ToolInputs } from './api/tool-inputs.ts';
import type { Result } from './api/tool-results.ts';
import type { Fields } from './domain/messages.ts';
import type { ToolHandler, ToolName } from './domain/tools.ts';
import type { McpEnvironment } from './settings.ts';
import { readImages, videoRequestReader } from './tool-arguments.ts';

/** A request like those of the REST API, with its price. */
type Priced = {
  readonly kind: 'videos' | 'images';
  readonly what: string;
  readonly unitPrice: string | null;
  readonly count: number;
  readonly refusal: DomainError | undefined;
};

type Budget = Result<'get_budget'>['account_budget'];

/** A model with its options, as in the REST list, and its prices. */
const describeModel = (model: string, capabilities: Fields, prices: Prices) => {
  const isImage = model === IMAGE_MODEL;
  const perSecond = prices.videoSecond[model];
  return {
    id: model,
    kind: isImage ? 'image' : 'video',
    options: capabilities,
    ...(isImage ? { price_per_image: prices.image } : {}),
    ...(perSecond === undefined ? {} : { price_per_second: perSecond }),
  };
};

const toBudget = (limit: string | undefined, used: string, resets: string): Budget => {
  if (limit === undefined) return undefined;
  const left = minus(limit, used);
  return { used, limit, left: isNegative(left) ? '0' : left, resets_at: resets };
};

export const moneyTools = (client: DynamoDBClient, environment: McpEnvironment, inputs: ToolInputs) => {
  const { PRICES, ACCOUNT_TABLE, UPSTREAMS } = environment;
  const { currency } = PRICES;
  const accounts = dynamoAccounts(client, ACCOUNT_TABLE);
  const usageOf = dynamoUsage(client, ACCOUNT_TABLE);
  const readVideo = videoRequestReader(environment);

  const readMoney = async ({ account, keyId, monthlyBudget }: Caller) => {
    const at = Date.now();
    const month = toUtcMonth(at);
    const [found, usage] = await Promise.all([
      accounts.find(account, at),
      usageOf({ account, keyId, month, at }),
    ]);
    const limits = effectiveLimits(found, environment.ACCOUNT_LIMITS);
    const resets = monthEnd(month);
    const keyBudget = toBudget(monthlyBudget, usage.committedByKey, resets);
    const accountBudget = toBudget(limits.monthlyBudget, usage.committed, resets);
    const budgets = {
      ...(keyBudget === undefined ? {} : { key_budget: keyBudget }),
      ...(accountBudget === undefined ? {} : { account_budget: accountBudget }),
    };
    return { at, usage, limits, budgets };
  };

  /** The readers of the REST API require a prompt, which has no influence on the price. */
  const toPriced = ({ kind, image_size, n, ...video }: Arguments<'estimate_price'>): Priced => {
    if (kind === 'image') {
      const { request, count } = readImages({ prompt: 'price', image_size, n });
      const size = chargedSize(request);
      const refusal = refuseUnofferedImage(UPSTREAMS, request);
      return {
        kind: 'images',
        what: `an image of ${size}`,
        unitPrice: imagePrice(size, PRICES),
        count,
        refusal,
      };
    }
    const request = readVideo({ prompt: 'price', ...video });
    const { amount } = chargeFor(request.model, request.seconds, PRICES);
    const refusal = refuseUnoffered(UPSTREAMS, request, (field) => field);
    return { kind: 'videos', what: request.model, unitPrice: amount, count: 1, refusal };
  };

  return {
    list_models: async (given) => {
      parseBody(inputs.list_models, given);
      const catalogue = { aliases: {}, upstreams: UPSTREAMS };
      const models = offeredModels(UPSTREAMS).map((model) =>
        describeModel(model, modelObject(catalogue, { name: model, model }).capabilities, PRICES),
      );
      return { structured: { models, currency } };
    },

    estimate_price: async (given, { caller }) => {
      const priced = toPriced(parseBody(inputs.estimate_price, given));
      const { kind, what, unitPrice, count } = priced;
      const { at, usage, limits, budgets } = await readMoney(caller);
      const moreTaskIds = Array.from({ length: count - 1 }, (_, index) => `estimate-${index}`);
      const request = { kind, taskId: 'estimate', moreTaskIds, what, amount: unitPrice };
      const refusal = priced.refusal ?? predictRefusal(caller, limits, request, { usage, currency, at });
      return {
        structured: {
          ...(unitPrice === null ? {} : { price: times(unitPrice, count) }),
          currency,
          ...budgets,
          ...(refusal === undefined ? {} : { would_be_refused: `${refusal.code}: ${refusal.message}` }),
          next_step:
            unitPrice === null
              ? 'The operator has set no price for this. Nothing was created.'
              : 'Nothing was created. Pass the price as max_price when you create it.',
        },
      };
    },

    get_budget: async (given, { caller }) => {
      parseBody(inputs.get_budget, given);
      const { budgets } = await readMoney(caller);
      const isFree = Object.keys(budgets).length === 0;
      return {
        structured: {
          currency,
          ...budgets,
          ...(isFree ? { next_step: 'Neither this API key nor its account has a monthly budget.' } : {}),
        },
      };
    },
  } satisfies Partial<Record<ToolName, ToolHandler>>;
};
