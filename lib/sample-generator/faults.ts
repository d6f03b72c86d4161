import type { Fault, Place, TestPrompts } from './read-test-prompts.ts';
import { UpstreamError } from './upstream-error.ts';

export type Faults = {
  /** The fault for this attempt, if any; `subject` identifies the request, operation or file. */
  next(place: Place, subject: string, testPrompts: TestPrompts): Fault | undefined;
};

const MAX_SUBJECTS = 10_000;

/**
 * Counts attempts: the first ones fail, the next one succeeds. For create requests the count then restarts, so that
 * using the same test prompt again has the same effect.
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
        if (attempts.size <= MAX_SUBJECTS) break;
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
