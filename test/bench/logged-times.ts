import * as z from 'zod';
import type { Service } from '../support/service.ts';

const lineSchema = z.object({ message: z.string(), taskId: z.string(), timestamp: z.iso.datetime() });

/** Returns the time of a logged event by task id. */
export const readTimes = (service: Pick<Service, 'logs'>, message: string): ReadonlyMap<string, number> => {
  const lines = service.logs().flatMap((line) => {
    const parsed = lineSchema.safeParse(JSON.parse(line.startsWith('{') ? line : '{}'));
    return parsed.success && parsed.data.message === message ? [parsed.data] : [];
  });
  return new Map(lines.map(({ taskId, timestamp }) => [taskId, Date.parse(timestamp)]));
};
