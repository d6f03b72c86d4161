import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import * as z from 'zod';
import { addSecurityChecks, createApp } from '../../../lib/app.ts';

// Other tests do without the validation, which takes most of their synthesis.
delete process.env.CDK_VALIDATION;
// The rules do not look at the code.
process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });

const reportSchema = z.object({
  pluginReports: z.array(
    z.looseObject({ violations: z.array(z.looseObject({ ruleName: z.string() })).default([]) }),
  ),
});

/** The rules that the app breaks, as `cdk synth` reports them. */
const findingsIn = (change: (app: App) => void): string[] => {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  try {
    const { app } = createApp({ outdir, config: { alarmEmail: 'ops@example.com' } });
    change(app);
    addSecurityChecks(app);
    try {
      app.synth();
    } catch (error) {
      if (!String(error).includes('Validation failed')) throw error;
    }
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    return reportSchema
      .parse(report)
      .pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

describe('the rules of AwsSolutions', () => {
  test('find nothing in the stack that is not acknowledged with a reason', () => {
    assert.deepEqual(
      findingsIn(() => {}),
      [],
    );
  });

  test('find a bucket that is not as it should be', () => {
    const findings = findingsIn((app) => {
      const stack = app.node.children.find((child) => child instanceof Stack);
      assert.ok(stack !== undefined);
      new Bucket(stack, 'Careless');
    });
    assert.ok(
      findings.some((rule) => rule.includes('AwsSolutions-S1')),
      findings.join(),
    );
    assert.ok(
      findings.some((rule) => rule.includes('AwsSolutions-S10')),
      findings.join(),
    );
  });
});
