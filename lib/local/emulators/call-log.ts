import type { AwsCall } from './messages.ts';

export type CallLog = {
  add(call: AwsCall): void;
  all(): readonly AwsCall[];
  clear(): void;
};

const CAPACITY = 50_000;

export const callLog = (capacity = CAPACITY): CallLog => {
  let calls: AwsCall[] = [];
  return {
    add(call) {
      calls.push(call);
      // Cut in halves, so that a full log costs nothing per call.
      if (calls.length >= capacity * 2) calls = calls.slice(-capacity);
    },
    all: () => calls.slice(-capacity),
    clear() {
      calls = [];
    },
  };
};
