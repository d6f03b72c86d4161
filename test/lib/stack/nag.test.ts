import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import * as z from 'zod';
import { EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { addSecurityChecks, createApp } from '../../../lib/stack.ts';
import { longOr } from '../../support/long-tests.ts';

// CDK's own validation takes three quarters of the time; the test of the schema checks the same resources.
process.env.CDK_VALIDATION = longOr('false', 'true');
// CDK validates templates with WebAssembly; one template is not worth optimizing it.
setFlagsFromString('--liftoff-only');

/** The rules do not look at the code. */
const WITHOUT_CODE = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });

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
const findingsIn = async (change: (stack: Stack) => void): Promise<string[]> => {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  try {
    process.env.CDK_CONTEXT_JSON = WITHOUT_CODE;
    const { app } = createApp({ outdir, config: EVERYTHING });
    // The other tests of this process need the code.
    delete process.env.CDK_CONTEXT_JSON;
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

// The rehearsal of a deployment applies the rules to a stack without settings.
test('AwsSolutions reports only the bucket that this test adds to a stack with every setting', async () => {
  assert.deepEqual(await findingsIn((stack) => new Bucket(stack, 'Careless')), [
    'AwsSolutions-S1 MediaGeneration/Careless/Resource',
    'AwsSolutions-S10 MediaGeneration/Careless/Resource',
  ]);
});
