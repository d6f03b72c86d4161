/** How long a call takes in milliseconds: as a rule, and the slowest of a hundred. */
export type Latency = { readonly typical: number; readonly slow: number; readonly source: string };

/** What the simulation takes for granted about AWS and the upstream, in one place. */
export const LATENCIES = {
  dynamoRead: { typical: 4, slow: 15, source: 'DynamoDB guide: single-digit milliseconds' },
  dynamoWrite: { typical: 6, slow: 25, source: 'DynamoDB guide: single-digit milliseconds' },
  dynamoQuery: {
    typical: 8,
    slow: 40,
    source: 'DynamoDB guide: single-digit milliseconds, a page of 1 MB more',
  },
  sqsSend: { typical: 12, slow: 60, source: 'SQS FAQ: tens of milliseconds' },
  sqsSendBatch: { typical: 20, slow: 90, source: 'SQS FAQ: tens of milliseconds' },
  /** From a visible message to the start of its invocation, where a worker is free. */
  sqsToLambda: { typical: 16, slow: 105, source: 'published measurement of SQS event sources, 2022' },
  s3Put: { typical: 60, slow: 250, source: 'S3 guide: 100 to 200 ms for small objects' },
  s3Remove: { typical: 30, slow: 150, source: 'S3 guide: 100 to 200 ms for small objects' },
  /** An environment that is not there yet. */
  coldStart: { typical: 500, slow: 1200, source: 'Lambda guide: under 100 ms to over 1 s' },
  /** The handler itself, beside its calls. */
  handler: { typical: 3, slow: 12, source: 'own bench, handlers on two arm64 cores' },
  upstreamSubmit: { typical: 800, slow: 4000, source: 'reports of users of the Gemini API' },
  upstreamCheck: { typical: 150, slow: 900, source: 'reports of users of the Gemini API' },
  upstreamRefusal: { typical: 60, slow: 300, source: 'reports of users of the Gemini API' },
  /** Until the first byte of a file. */
  upstreamOpen: { typical: 120, slow: 600, source: 'reports of users of the Gemini API' },
  /** 10 MB through one function of 1 GB of memory, which is network bound. */
  moveVideo: { typical: 900, slow: 3500, source: 'own bench and 10 to 20 MB a second of one S3 upload' },
} as const satisfies Record<string, Latency>;

export type LatencyName = keyof typeof LATENCIES;

/** Nine in ten are near the typical time; the rest stretches to the slow one. Whole milliseconds. */
export const drawLatency = (name: LatencyName, random: () => number): number => {
  const { typical, slow } = LATENCIES[name];
  const chance = random();
  const drawn =
    chance < 0.9
      ? typical * (0.7 + (2 * chance) / 3)
      : typical * 1.3 + (slow - typical * 1.3) * (chance - 0.9) * 10;
  return Math.ceil(drawn);
};

/** Limits of AWS that the figures are held against. */
export const LIMITS = {
  /** DynamoDB guide, burst and adaptive capacity: what one partition takes a second. */
  partitionWriteUnits: 1000,
  partitionReadUnits: 3000,
  /** Lambda guide, scaling of SQS event sources: five at once, 300 more a minute. */
  firstWorkers: 5,
  moreWorkersAMinute: 300,
  /** The stack: how long a run of the sweeper may take. */
  sweeperSeconds: 55,
} as const;
