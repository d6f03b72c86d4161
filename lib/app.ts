import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib/core';
import * as z from 'zod';
import { type Config, configFrom, environmentName, rejectUnknownVariables } from './config.ts';
import { OWN_TAG } from './config-schema.ts';
import { KEEP_BUNDLES } from './lambda/bundling.ts';
import { MediaGenerationStack } from './stack.ts';

/** The app for `cdk`; the local cloud creates it in its own process. */
export const createApp = (
  props: { outdir?: string; config?: Partial<Config> } = {},
): { app: App; config: Config } => {
  const app = new App({
    ...(props.outdir === undefined
      ? {}
      : {
          outdir: props.outdir,
          context: { ...cdkContext(), [KEEP_BUNDLES]: true },
          // Only `cdk` reads them; they take a quarter of the synthesis.
          treeMetadata: false,
          stackTraces: false,
        }),
    analyticsReporting: false,
  });
  rejectUnknownVariables(process.env);
  const overrides: Readonly<Record<string, unknown>> = props.config ?? {};
  const config = configFrom(
    (name) => overrides[name],
    // The environment overrides cdk.json, so that a single deployment can differ.
    (name) => process.env[environmentName(name)],
    (name) => app.node.tryGetContext(name),
  );
  const { stackName, account, region } = config;
  new MediaGenerationStack(app, stackName, config, {
    description: 'Video and image generation',
    terminationProtection: config.terminationProtection,
    env: { ...(account === '' ? {} : { account }), ...(region === '' ? {} : { region }) },
    // CloudFormation copies the tags of a stack to its resources; the template would repeat each tag 250 times.
    tags: { [OWN_TAG]: stackName, ...config.tags },
  });
  return { app, config };
};

/** Without `cdk`, which passes the context of cdk.json, the file is read here. */
const cdkContext = (): Record<string, unknown> =>
  z
    .object({ context: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'cdk.json'), 'utf8'))).context;

/** Loads the rules, which take half a second, only where they are used: `npm start` does without them. */
export const addSecurityChecks = async (app: App): Promise<void> => {
  const { AwsSolutionsChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};
