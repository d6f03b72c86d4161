import type { Measurement } from './measurement.ts';
import { awsCalls } from './measurements/aws-calls.ts';
import { bundleSize } from './measurements/bundle-size.ts';
import { completion } from './measurements/completion.ts';
import { consolePage } from './measurements/console.ts';
import { conversion } from './measurements/conversion.ts';
import { cost } from './measurements/cost.ts';
import { fairness } from './measurements/fairness.ts';
import { fileMemory } from './measurements/file-memory.ts';
import { handlerCpu } from './measurements/handler-cpu.ts';
import { limits } from './measurements/limits.ts';
import { memory } from './measurements/memory.ts';
import { npmStart } from './measurements/npm-start.ts';
import { startUp } from './measurements/start-up.ts';
import { upstreams } from './measurements/upstreams.ts';
import { webhooks } from './measurements/webhooks.ts';
import { workerTime } from './measurements/worker-time.ts';
import { writeUnits } from './measurements/write-units.ts';

export const MEASUREMENTS: readonly Measurement[] = [
  { name: 'bundle-size', title: 'Bundle size of every function', measure: bundleSize },
  { name: 'console', title: 'The console in a browser', measure: consolePage },
  { name: 'start-up', title: 'Module start-up of every function', measure: startUp },
  { name: 'npm-start', title: 'npm start to the first response', measure: npmStart },
  { name: 'handler-cpu', title: 'CPU of handlers beyond the SDK', measure: handlerCpu },
  { name: 'memory', title: 'Memory of the worker', measure: memory },
  { name: 'file-memory', title: 'Memory of functions with large files', measure: fileMemory },
  { name: 'conversion', title: 'Memory of converting a 4K image', measure: conversion },
  { name: 'worker-time', title: 'Billed time of the worker for a 60 s generation', measure: workerTime },
  { name: 'completion', title: 'From done upstream to completed', measure: completion },
  { name: 'upstreams', title: 'A pool with troubled upstreams', measure: upstreams },
  { name: 'webhooks', title: 'From completed to webhook received', measure: webhooks },
  { name: 'fairness', title: 'Fairness between accounts', measure: fairness },
  { name: 'aws-calls', title: 'AWS calls per operation', measure: awsCalls },
  { name: 'limits', title: 'Overhead of limits on a create', measure: limits },
  { name: 'write-units', title: 'Write units of a create with limits', measure: writeUnits },
  { name: 'cost', title: 'Estimated cost at list prices', measure: cost },
];
