import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CONFIGURATIONS } from '../../../lib/evidence/configurations.ts';
import {
  COUNT_TITLES,
  countRow,
  countTemplate,
  type TemplateCounts,
} from '../../../lib/evidence/template-counts.ts';
import { section, tableRows } from '../../docs/sections.ts';
import { templateWith } from '../stack/synthesized-template.ts';

const counts = new Map<string, TemplateCounts>();
for (const [name, config] of Object.entries(CONFIGURATIONS))
  counts.set(name, countTemplate(JSON.stringify(await templateWith(config)), config.upstreams.length));
const byDefault = counts.get('default') ?? assert.fail('no default');

test('the stack has a fixed cost of less than 9.65 USD, so that it stays below 10 USD with its scheduled runs', () => {
  assert.ok(byDefault.monthlyDollars > 5 && byDefault.monthlyDollars < 9.65, `${byDefault.monthlyDollars}`);
});

describe('the documents', () => {
  test('have the number of roles of the default template', async () => {
    const { Resources } = await templateWith(CONFIGURATIONS.default);
    const roles = Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role').length;
    const text = section(['docs/deploy.md', '## Multiple stacks in a region']);
    assert.ok(text.includes(`has ${roles} of the 1,000 IAM roles`), `${roles}`);
  });

  test('have the figures of every configuration that npm run synth -- --all writes', () => {
    const [titles, ...rows] = tableRows(['docs/operate.md', '## Template figures']);
    assert.deepEqual(titles, COUNT_TITLES);
    const expected = [...counts].map(([name, each]) => countRow(name, each));
    assert.deepEqual(rows, expected);
  });

  test('have the fixed costs of the default template', () => {
    const text = section(['docs/operate.md', '## Monthly cost']);
    const { alarmMetrics, customMetrics, monthlyDollars } = byDefault;
    for (const stated of [
      `${alarmMetrics} alarm metrics ${(alarmMetrics * 0.1).toFixed(2)}`,
      `${customMetrics} custom metrics`,
      `${(customMetrics * 0.3).toFixed(2)} USD`,
      `${monthlyDollars.toFixed(2)} USD of fixed cost`,
    ])
      assert.ok(text.includes(stated), stated);
  });
});
