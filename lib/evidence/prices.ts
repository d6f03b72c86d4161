/**
 * AWS list prices in US dollars, us-east-1, without free tiers, volume discounts or taxes, as of November 2026.
 * Check them before relying on an estimate.
 */
const PRICES = {
  apiGatewayRequest: { dollars: 3.5, per: 1_000_000, unit: 'REST API requests' },
  lambdaRequest: { dollars: 0.2, per: 1_000_000, unit: 'Lambda requests' },
  lambdaGigabyteSecond: { dollars: 0.0000133334, per: 1, unit: 'GB-seconds, arm64' },
  dynamoWriteUnit: { dollars: 0.625, per: 1_000_000, unit: 'DynamoDB on-demand write units' },
  dynamoReadUnit: { dollars: 0.125, per: 1_000_000, unit: 'DynamoDB on-demand read units' },
  sqsRequest: { dollars: 0.4, per: 1_000_000, unit: 'SQS standard requests' },
  /** In addition, for messages with a group. */
  fairSqsRequest: { dollars: 0.1, per: 1_000_000, unit: 'SQS fair queue requests' },
  s3WriteRequest: { dollars: 0.005, per: 1000, unit: 'S3 PUT, POST and LIST requests' },
  s3ReadRequest: { dollars: 0.0004, per: 1000, unit: 'S3 GET requests' },
  s3GigabyteMonth: { dollars: 0.023, per: 1, unit: 'GB-months of S3 Standard' },
  /** Beyond AWS. */
  transferredGigabyte: { dollars: 0.09, per: 1, unit: 'GB of data to clients' },
  logGigabyte: { dollars: 0.5, per: 1, unit: 'GB of ingested logs' },
  logGigabyteMonth: { dollars: 0.03, per: 1, unit: 'GB-months of logs' },
  secretRequest: { dollars: 0.05, per: 10_000, unit: 'Secrets Manager requests' },
  secretMonth: { dollars: 0.4, per: 1, unit: 'secrets per month' },
  keyMonth: { dollars: 1, per: 1, unit: 'KMS keys per month' },
  /** Per metric that an alarm reads. */
  alarmMetric: { dollars: 0.1, per: 1, unit: 'metrics of alarms' },
  compositeAlarm: { dollars: 0.5, per: 1, unit: 'composite alarms' },
  /** Charged for each hour with a value. */
  customMetric: { dollars: 0.3, per: 1, unit: 'custom metrics' },
  webAcl: { dollars: 5, per: 1, unit: 'web ACLs per month' },
  webAclRule: { dollars: 1, per: 1, unit: 'rules of web ACLs per month' },
  dashboard: { dollars: 3, per: 1, unit: 'dashboards' },
  trace: { dollars: 5, per: 1_000_000, unit: 'X-Ray traces' },
  scheduledEvent: { dollars: 0, per: 1_000_000, unit: 'scheduled EventBridge events' },
} as const satisfies Record<
  string,
  { readonly dollars: number; readonly per: number; readonly unit: string }
>;

type Priced = keyof typeof PRICES;
export type Quantities = Partial<Record<Priced, number>>;

const NAMES = Object.keys(PRICES).filter((name): name is Priced => name in PRICES);

export const addQuantities = (...all: readonly Quantities[]): Quantities =>
  Object.fromEntries(NAMES.map((name) => [name, all.reduce((sum, each) => sum + (each[name] ?? 0), 0)]));

export const totalCost = (quantities: Quantities): { dollars: number; largest: string } => {
  const lines = NAMES.map((name) => {
    const { dollars, per, unit } = PRICES[name];
    return { unit, dollars: ((quantities[name] ?? 0) * dollars) / per };
  }).toSorted((one, other) => other.dollars - one.dollars);
  return {
    dollars: lines.reduce((total, line) => total + line.dollars, 0),
    largest: lines
      .slice(0, 8)
      .filter(({ dollars }) => dollars > 0)
      .map(({ unit, dollars }) => `${unit} ${dollars.toFixed(3)}`)
      .join(', '),
  };
};
