import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import * as z from 'zod';
import { addSecurityChecks, createApp } from '../../../lib/app.ts';
import type { Config } from '../../../lib/config.ts';
import { signInSchema } from '../../../lib/sign-in-schema.ts';

// Other tests do without the validation, which takes most of their synthesis.
delete process.env.CDK_VALIDATION;
// CDK validates templates with WebAssembly; one template is not worth optimizing it.
setFlagsFromString('--liftoff-only');
// The rules do not look at the code.
process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });

const reportSchema = z.object({
  pluginReports: z.array(
    z.looseObject({
      violations: z
        .array(
          z.looseObject({
            ruleName: z.string(),
            violatingConstructs: z.array(z.looseObject({ constructPath: z.string() })),
          }),
        )
        .default([]),
    }),
  ),
});

/** The rules that the app breaks, each with its place, as `cdk synth` reports them. */
const findingsIn = async (
  change: (stack: Stack) => void,
  config: Partial<Config> = {},
): Promise<string[]> => {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  try {
    const { app } = createApp({ outdir, config: { alarmEmail: 'ops@example.com', ...config } });
    const stack = app.node.children.find((child) => child instanceof Stack);
    assert.ok(stack !== undefined);
    change(stack);
    await addSecurityChecks(app);
    assert.throws(() => app.synth(), /Validation failed/);
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    return reportSchema
      .parse(report)
      .pluginReports.flatMap(({ violations }) =>
        violations.flatMap(({ ruleName, violatingConstructs }) =>
          violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
        ),
      );
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

const CARELESS = [
  'AwsSolutions-S1 MediaGeneration/Careless/Resource',
  'AwsSolutions-S10 MediaGeneration/Careless/Resource',
];
const EVERY_SETTING = {
  account: '123456789012',
  region: 'eu-west-1',
  tags: { team: 'media' },
  trafficShift: 'Canary10Percent5Minutes' as const,
  webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/media/1a2b',
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555',
  publicBaseUrl: 'https://media.example.com',
  signIn: signInSchema.parse({ cognito: { domainPrefix: 'acme-media' } }),
};

// The test of bin/app.ts applies the rules to a stack without settings.
test('AwsSolutions reports only the bucket that this test adds to a stack with every setting', async () => {
  assert.deepEqual(await findingsIn((stack) => new Bucket(stack, 'Careless'), EVERY_SETTING), CARELESS);
});
