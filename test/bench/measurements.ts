import type { Measurement } from './measurement.ts';
import { bundleSize } from './measurements/bundle-size.ts';
import { startUp } from './measurements/start-up.ts';

/** Everything that `npm run bench` measures, in this order. */
export const MEASUREMENTS: readonly Measurement[] = [
  { name: 'bundle-size', title: 'Bundle size of every function', measure: bundleSize },
  { name: 'start-up', title: 'Module start-up of every function', measure: startUp },
];
