import { randomStream } from './random.ts';

export const SAMPLE_RATE = 48_000;

const SCALE = [0, 2, 4, 7, 9] as const;
const QUIET = 0.045;

type Voice = { frequency: number; swell: number; phase: number; side: number };

const voicesFor = (random: () => number): Voice[] => {
  const root = 110 * 2 ** (Math.floor(random() * 8) / 12);
  return Array.from({ length: 5 }, (_, index) => ({
    frequency: root * 2 ** ((SCALE[Math.floor(random() * SCALE.length)] ?? 0) / 12 + (index % 3)),
    swell: 0.1 + 0.25 * random(),
    phase: 2 * Math.PI * random(),
    side: 0.25 + 0.5 * random(),
  }));
};

/** A quiet pad of a few swelling voices: left channel, then right, as 32-bit floats. */
export const soundBed = (seconds: number, seed: number): Float32Array => {
  const length = Math.round(seconds * SAMPLE_RATE);
  const samples = new Float32Array(length * 2);
  for (const voice of voicesFor(randomStream(seed ^ 0x5eed))) {
    for (let index = 0; index < length; index += 1) {
      const time = index / SAMPLE_RATE;
      const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * voice.swell * time + voice.phase);
      const edge = Math.min(1, time / 0.8, (seconds - time) / 0.8);
      const value = QUIET * swell * edge * Math.sin(2 * Math.PI * voice.frequency * time);
      samples[index] = (samples[index] ?? 0) + value * (1 - voice.side);
      samples[length + index] = (samples[length + index] ?? 0) + value * voice.side;
    }
  }
  return samples;
};
