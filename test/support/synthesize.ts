import { join } from 'node:path';
import type { Config } from '../../lib/config.ts';
import { createApp } from '../../lib/stack.ts';
import { TEST_CONFIG } from './assembly.ts';

/** The template without its functions' code, for tests that only read it. */
export const synthesizeTemplate = (outdir: string, config: Partial<Config>): string => {
  process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });
  try {
    return synthesizeInto(outdir, { upstreams: TEST_CONFIG.upstreams, ...config });
  } finally {
    delete process.env.CDK_CONTEXT_JSON;
  }
};

export const synthesizeInto = (outdir: string, config: Partial<Config> = TEST_CONFIG): string => {
  // Validation takes half of the time; the tests of the stack do it.
  process.env.CDK_VALIDATION = 'false';
  const { app, config: complete } = createApp({ outdir, config, isLocal: true });
  app.synth();
  return join(outdir, complete.stackName);
};
