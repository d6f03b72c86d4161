import { readEnvironment, text } from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { probeAddress } from './usecases/probe-address.ts';

export const ENVIRONMENT = { PROBE_ADDRESS: text };
const { PROBE_ADDRESS: address } = readEnvironment(ENVIRONMENT);
const logger = jsonLogger();
/** A cold start of the page's function takes a second. */
const TIMEOUT_MS = 10_000;

/** Runs every minute; an alarm counts the runs that fail. */
export const handler = async (): Promise<void> => {
  try {
    await probeAddress(address, TIMEOUT_MS);
  } catch (error) {
    logger.error('address not reached', error, { address });
    throw error;
  }
};
