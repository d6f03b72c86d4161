import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod';
import { type Config, configFrom, environmentName, refuseUnknownVariables } from './config.ts';
import { OWN_TAG } from './config-tags.ts';
import { KEEP_BUNDLES } from './lambda/bundling.ts';
import { MediaGenerationStack } from './stack.ts';

/** The app that `cdk` runs, and that the local cloud runs in its own process. */
export const createApp = (
  props: { outdir?: string; config?: Partial<Config> } = {},
): { app: App; config: Config } => {
  const app = new App({
    ...(props.outdir === undefined
      ? {}
      : { outdir: props.outdir, context: { ...cdkContext(), [KEEP_BUNDLES]: true } }),
    analyticsReporting: false,
  });
  refuseUnknownVariables(process.env);
  const overrides: Readonly<Record<string, unknown>> = props.config ?? {};
  const config = configFrom(
    (name) => overrides[name],
    // The environment wins over cdk.json, so that one deployment can differ.
    (name) => process.env[environmentName(name)],
    (name) => app.node.tryGetContext(name),
  );
  const { stackName, account, region } = config;
  new MediaGenerationStack(app, stackName, config, {
    description: 'Video and image generation',
    terminationProtection: config.terminationProtection,
    env: { ...(account === '' ? {} : { account }), ...(region === '' ? {} : { region }) },
    // CloudFormation passes the tags of a stack on to its resources; in the template, each would stand 250 times.
    tags: { [OWN_TAG]: stackName, ...config.tags },
  });
  return { app, config };
};

/** `cdk` hands cdk.json's context over; without it, the same file is read here. */
const cdkContext = (): Record<string, unknown> =>
  z
    .object({ context: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'cdk.json'), 'utf8'))).context;

export const addSecurityChecks = (app: App): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};
