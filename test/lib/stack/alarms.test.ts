import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { METRICS } from '../../../functions/platform/runtime/logger.ts';
import { EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { findResources, sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

const template = await sharedTemplate();
const RUNBOOK = readFileSync(join(import.meta.dirname, '..', '..', '..', 'RUNBOOK.md'), 'utf8');

const alarmSchema = z.looseObject({
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.object({ Ref: z.string() })).optional(),
});

/** With the alarm that stops a gradual deployment, besides those that every stack has. */
const everything = await templateWith(EVERYTHING);
const alarms = findResources(everything, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => ({
  id,
  ...alarmSchema.parse(Properties),
}));

const toSection = (description: string): string => description.split('RUNBOOK.md: ')[1] ?? '';

describe('every alarm', () => {
  const chapter = RUNBOOK.split('## Alarms')[1] ?? '';
  const sections = Array.from(chapter.matchAll(/^### (.+)$/gm), ([, title = '']) => title);

  test('has a section in the runbook, and every section has an alarm', () => {
    const named = new Set(alarms.map(({ AlarmDescription }) => toSection(AlarmDescription)));
    assert.deepEqual([...named].toSorted(), sections.toSorted());
  });

  test('has a section with a command or a setting', () => {
    for (const text of chapter.split(/^### /m).slice(1)) {
      const [title, ...lines] = text.split('\n');
      assert.ok(
        lines.some((line) => /^1\. /.test(line)),
        title,
      );
      assert.match(lines.join('\n'), /`/, title);
    }
  });

  test('notifies the topic', () => {
    const [[topic] = []] = findResources(template, 'AWS::SNS::Topic');
    const notifying = alarms.filter(
      ({ AlarmDescription }) => !AlarmDescription.includes('Part of the alarm'),
    );
    assert.equal(alarms.length - notifying.length, 2);
    const composite = findResources(template, 'AWS::CloudWatch::CompositeAlarm').map(
      ([id, { Properties }]) => ({
        id,
        AlarmActions: Properties.AlarmActions,
      }),
    );
    for (const { id, AlarmActions } of [...notifying, ...composite])
      assert.deepEqual(AlarmActions, [{ Ref: topic }], id);
  });
});

describe('the commands of the runbook', () => {
  const findAll = (pattern: RegExp) => [
    ...new Set(Array.from(RUNBOOK.matchAll(pattern), ([, name = '']) => name)),
  ];

  test('use outputs of the stack', () => {
    const used = findAll(/\$\(output (\w+)\)/g);
    assert.ok(used.length >= 5);
    const missing = used.filter((name) => !(name in template.Outputs));
    assert.deepEqual(missing, []);
    // A listing of resources stops at a hundred.
    assert.doesNotMatch(RUNBOOK, /describe-stack-resources/);
  });

  test('use the access log of the stack', () => {
    const names = Object.values(template.Resources).map(({ Properties }) => Properties?.LogGroupName);
    const used = findAll(/"(\/aws\/apigateway\/[^"]+)"/g).map((name) =>
      name.replace('$STACK', 'MediaGeneration'),
    );
    assert.ok(used.length > 0);
    const missing = used.filter((name) => !names.includes(name));
    assert.deepEqual(missing, []);
  });
});

describe('the topic', () => {
  const emailsIn = ({ Resources }: Template) =>
    Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::SNS::Subscription')
      .map(({ Properties }) => [Properties.Protocol, Properties.Endpoint]);

  test('notifies the configured address, if there is one', () => {
    assert.deepEqual(emailsIn(everything), [['email', 'ops@example.com']]);
    assert.deepEqual(emailsIn(template), []);
  });

  test('accepts alarms of this account, and its key lets them encrypt', () => {
    const policies = [
      ...findResources(template, 'AWS::SNS::TopicPolicy').map(
        ([, { Properties }]) => Properties.PolicyDocument,
      ),
      ...findResources(template, 'AWS::KMS::Key').map(([, { Properties }]) => Properties.KeyPolicy),
    ].map((policy) => JSON.stringify(policy));
    const allowed = { Service: 'cloudwatch.amazonaws.com' };
    for (const policy of policies) {
      assert.ok(policy.includes(JSON.stringify(allowed)));
      assert.ok(policy.includes('aws:SourceAccount'));
    }
    assert.match(policies[0] ?? '', /sns:Publish/);
    assert.match(policies[1] ?? '', /kms:Decrypt.+kms:GenerateDataKey/);
  });
});

test('the dashboard shows every metric that the functions write', () => {
  const [[, dashboard] = []] = findResources(template, 'AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(dashboard?.Properties.DashboardBody).replaceAll('\\', '');
  const names = new Set<string>(Object.values(METRICS).flatMap((rows) => rows.map(({ name }) => name)));
  // Those that only ring have an alarm each, and the dashboard shows the alarms.
  const ringing = ['ChargesNotRecorded', 'UpstreamNeedsOperator'];
  assert.deepEqual([...names].filter((name) => !body.includes(`"${name}"`)).toSorted(), ringing);
});
