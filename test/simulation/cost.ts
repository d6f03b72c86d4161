import { totalCost } from '../../lib/evidence/prices.ts';
import type { Simulation } from './run.ts';

/** As the stack sets them. */
const MEMORY_GIGABYTES: Readonly<Record<string, number>> = {
  'create-video': 1,
  'video-worker': 1,
  'dead-letter': 0.5,
  sweeper: 0.5,
};
/** The clients' own calls: a status every three seconds and a download. */
const POLL_INTERVAL = 3000;
const STATUS_MILLISECONDS = 10;
/** A log line an invocation and an event; a trace of it is not counted. */
const LOG_BYTES = 600;
const GIGABYTE = 1024 ** 3;
/** An upload in parts: begin, two parts, end. */
const UPLOAD_REQUESTS = 4;

export const sumGigabyteSeconds = ({ measured }: Simulation): number =>
  [...measured.billed].reduce(
    (sum, [name, { milliseconds }]) => sum + ((MEMORY_GIGABYTES[name] ?? 1) * milliseconds) / 1000,
    0,
  );

const countInvocations = ({ measured }: Simulation): number =>
  [...measured.billed.values()].reduce((sum, { invocations }) => sum + invocations, 0);

/** The AWS cost of the service's own work, and of clients that poll. */
export const estimateCost = (simulation: Simulation) => {
  const { counts, writes, reads, measured, options, queue } = simulation;
  const count = (name: Parameters<typeof counts.get>[0]): number => counts.get(name) ?? 0;
  const invocations = countInvocations(simulation);
  // Each message is sent, received and deleted, and has its account as its group.
  const queueRequests = count('sqsSend') + count('sqsSendBatch') + 2 * queue.counts.received;
  const service = totalCost({
    lambdaRequest: invocations,
    lambdaGigabyteSecond: sumGigabyteSeconds(simulation),
    dynamoWriteUnit: writes.total('tasks') + writes.total('charges'),
    dynamoReadUnit: reads.total('tasks'),
    sqsRequest: queueRequests,
    fairSqsRequest: queueRequests,
    s3WriteRequest: UPLOAD_REQUESTS * count('moveVideo'),
    logGigabyte: (2 * invocations * LOG_BYTES) / GIGABYTE,
  });
  const polls = measured.untilCompleted.sum / POLL_INTERVAL + 2 * measured.untilCompleted.count;
  const clients = totalCost({
    apiGatewayRequest: polls,
    lambdaRequest: polls,
    lambdaGigabyteSecond: (polls * STATUS_MILLISECONDS) / 1000,
    dynamoReadUnit: polls,
    logGigabyte: (polls * LOG_BYTES) / GIGABYTE,
  });
  return {
    service: service.dollars / options.hours,
    clients: clients.dollars / options.hours,
    largest: service.largest,
  };
};
