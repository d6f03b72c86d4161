import { Logger } from '@aws-lambda-powertools/logger';
import type { Journal } from '../domain/ports.ts';

/** Structured log lines. Callers pass identifiers and figures, never prompts, keys, images or signed addresses. */
export const logJournal = (): Journal => {
  const logger = new Logger({ serviceName: 'media-generation' });
  return {
    note: (event, facts) => logger.info(event, { ...facts }),
    fault: (event, error, facts) =>
      logger.error(event, {
        ...facts,
        ...(error === undefined ? {} : { error: error instanceof Error ? error : String(error) }),
      }),
  };
};
