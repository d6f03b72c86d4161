import type { Measurement } from './measurement.ts';

/** Loaded when it is measured: a measurement must not fail because another cannot be loaded. */
export const MEASUREMENTS: readonly Measurement[] = [
  {
    name: 'bundle-size',
    title: 'Bundle size of every function',
    measure: async (stage) => (await import('./measurements/bundle-size.ts')).bundleSize(stage),
  },
  {
    name: 'console',
    title: 'The console in a browser',
    measure: async (stage) => (await import('./measurements/console.ts')).consolePage(stage),
  },
  {
    name: 'start-up',
    title: 'Module start-up of every function',
    measure: async (stage) => (await import('./measurements/start-up.ts')).startUp(stage),
  },
  {
    name: 'npm-start',
    title: 'npm start to the first response',
    measure: async (stage) => (await import('./measurements/npm-start.ts')).npmStart(stage),
  },
  {
    name: 'handler-cpu',
    title: 'CPU of handlers beyond the SDK',
    measure: async (stage) => (await import('./measurements/handler-cpu.ts')).handlerCpu(stage),
  },
  {
    name: 'allocation',
    title: 'Bytes that requests allocate',
    measure: async (stage) => (await import('./measurements/allocation.ts')).allocation(stage),
  },
  {
    name: 'memory',
    title: 'Memory of the worker',
    measure: async (stage) => (await import('./measurements/memory.ts')).memory(stage),
  },
  {
    name: 'file-memory',
    title: 'Memory of functions with large files',
    measure: async (stage) => (await import('./measurements/file-memory.ts')).fileMemory(stage),
  },
  {
    name: 'conversion',
    title: 'Memory of converting a 4K image',
    measure: async (stage) => (await import('./measurements/conversion.ts')).conversion(stage),
  },
  {
    name: 'worker-time',
    title: 'Billed time of the worker for a 60 s generation',
    measure: async (stage) => (await import('./measurements/worker-time.ts')).workerTime(stage),
  },
  {
    name: 'completion',
    title: 'From done upstream to completed',
    measure: async (stage) => (await import('./measurements/completion.ts')).completion(stage),
  },
  {
    name: 'upstreams',
    title: 'A pool with troubled upstreams',
    measure: async (stage) => (await import('./measurements/upstreams.ts')).upstreams(stage),
  },
  {
    name: 'webhooks',
    title: 'From completed to webhook received',
    measure: async (stage) => (await import('./measurements/webhooks.ts')).webhooks(stage),
  },
  {
    name: 'fairness',
    title: 'Fairness between accounts',
    measure: async (stage) => (await import('./measurements/fairness.ts')).fairness(stage),
  },
  {
    name: 'aws-calls',
    title: 'AWS calls per operation',
    measure: async (stage) => (await import('./measurements/aws-calls.ts')).awsCalls(stage),
  },
  {
    name: 'limits',
    title: 'Overhead of limits on a create',
    measure: async (stage) => (await import('./measurements/limits.ts')).limits(stage),
  },
  {
    name: 'write-units',
    title: 'Write units of a create with limits',
    measure: async (stage) => (await import('./measurements/write-units.ts')).writeUnits(stage),
  },
  {
    name: 'cost',
    title: 'Estimated cost at list prices',
    measure: async (stage) => (await import('./measurements/cost.ts')).cost(stage),
  },
];
