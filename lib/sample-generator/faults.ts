import type { Fault, Place, TestPrompts } from './read-test-prompts.ts';
import { UpstreamError } from './upstream-error.ts';

export type Faults = {
  /** The fault that this attempt meets, if any; `subject` tells one request, operation or file from another. */
  next(place: Place, subject: string, testPrompts: TestPrompts): Fault | undefined;
};

const REMEMBERED = 10_000;

/**
 * Counts attempts: the first ones fail, the next succeeds. For the creating request the count then starts
 * again, so that a test prompt does the same every time it is used.
 */
export const countedFaults = (): Faults => {
  const attempts = new Map<string, number>();
  return {
    next: (place, subject, { faults }) => {
      const here = faults.filter((fault) => fault.place === place);
      if (here.length === 0) return undefined;
      const key = `${place} ${subject}`;
      const attempt = attempts.get(key) ?? 0;
      let passed = 0;
      for (const fault of here) {
        if (fault.repeat === 'always' || attempt < passed + fault.repeat) {
          attempts.delete(key);
          attempts.set(key, attempt + 1);
          return fault;
        }
        passed += fault.repeat;
      }
      if (place === 'create') attempts.delete(key);
      for (const oldest of attempts.keys()) {
        if (attempts.size <= REMEMBERED) break;
        attempts.delete(oldest);
      }
      return undefined;
    },
  };
};

const quotaFailure = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_requests', quotaId }],
});

const retryInfo = (seconds: number) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: `${seconds}s`,
});

/** The refusal that a fault stands for. */
export const faultError = (fault: Fault, retryDelaySeconds: number): UpstreamError => {
  if (fault.kind === 'daily-quota') {
    return new UpstreamError(429, undefined, [quotaFailure('GenerateRequestsPerDayPerProjectPerModel')]);
  }
  if (fault.kind !== 'error') return new UpstreamError(500);
  if (fault.code !== 429) return new UpstreamError(fault.code);
  const seconds = fault.retrySeconds ?? retryDelaySeconds;
  const message = `You exceeded your current quota, please check your plan and billing details. Please retry in ${seconds}s.`;
  const details = [quotaFailure('GenerateRequestsPerMinutePerProjectPerModel'), retryInfo(seconds)];
  return new UpstreamError(429, message, details);
};
