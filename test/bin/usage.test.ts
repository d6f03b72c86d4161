import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { PEOPLE, recordCharges, seededCharges, total } from '../support/charges.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { runCommand, spawnCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const charges = seededCharges('acme', 60, [Date.UTC(2024, 1, 28)], seededRandom(3));
const february = charges.filter(({ time }) => time < Date.UTC(2024, 2));
const expected = total(february.map(({ amount }) => amount));

const usage = (...args: string[]) => runCommand('usage', [...args, '--data', data]);

describe('npm run usage', () => {
  before(async () => {
    const { stack } = await openCloud();
    await recordCharges({ operator: stack.clientConfig, outputs: stack.outputs }, charges);
  });

  test('prints the month by key, model and size, with an exact total', async () => {
    const { code, output, errors } = await usage('--account', 'acme', '--month', '2024-02');
    assert.equal(code, 0, errors);
    const lines = output.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^Key +Model +Size +Quantity +Requests +Amount$/);
    assert.equal(new Set(lines.map((line) => line.length)).size, 1, 'the amounts are aligned');
    const priced = lines.filter((line) => line.endsWith(' USD'));
    const amounts = priced.map((line) => line.split(/ +/).at(-2) ?? '');
    const [sum = '', ...rows] = amounts.toReversed();
    assert.equal(total(rows), total(['0.0000', sum]));
    assert.equal(total(['0.0000', sum]), expected);
    assert.ok(lines.some((line) => line.startsWith('Total') && line.endsWith('no price')));
    assert.match(errors, /^The local service charges nobody:/);
  });

  test('prints the month by person', async () => {
    const { output } = await usage('--account', 'acme', '--month', '2024-02', '--by', 'person');
    const [heading, ...lines] = output
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/)[0]);
    assert.equal(heading, 'Person');
    assert.deepEqual(new Set(lines), new Set(['none', ...PEOPLE, 'Total']));
  });

  test('prints the month by model, with the margin once an upstream has reported its cost', async () => {
    const { stack } = await openCloud();
    const costs = charges.slice(0, 20).map((charge) => ({
      ...charge,
      id: `costs-${charge.id}`,
      account: 'costs',
      time: Date.UTC(2024, 1, 28),
      upstreamCost: { amount: '0.0123', currency: 'USD' },
    }));
    await recordCharges({ operator: stack.clientConfig, outputs: stack.outputs }, costs);
    const { output } = await usage('--account', 'costs', '--month', '2024-02', '--by', 'model');
    const [heading = '', ...lines] = output.trimEnd().split('\n');
    assert.match(heading, /^Model +Quantity +Requests +Amount +Cost +Margin$/);
    const [, amount = '', cost = '', margin] =
      /^Total +\d+ +([\d.]+) USD +([\d.]+) USD +(-?[\d.]+) USD$/.exec(
        lines.find((line) => line.includes('Total') && line.includes('USD  ')) ?? '',
      ) ?? [];
    assert.equal(total([margin, cost]), total(['0.0000', amount]));
  });

  test('writes one line per day as CSV', async () => {
    const args = ['--account', 'acme', '--month', '2024-02', '--csv', '--data', data];
    const { output } = await spawnCommand('usage', args);
    const [names, ...lines] = output.trimEnd().split('\r\n');
    assert.equal(
      names,
      'day,api_key_id,user_id,model,size,quantity,unit,requests,amount,currency,upstream_cost,upstream_currency,margin',
    );
    const rows = lines.map((line) => line.split(','));
    assert.equal(total(['0.0000', ...rows.map((row) => (row[8] === '' ? '0' : row[8]))]), expected);
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row[7]), 0),
      february.length,
    );
    assert.ok(rows.every(([day = '']) => ['2024-02-28', '2024-02-29'].includes(day)));
  });

  test('reports that nothing was charged, and rejects invalid options', async () => {
    assert.match(
      (await usage('--account', 'nobody')).output,
      /^nobody was charged nothing in \d{4}-\d\d\.\n$/,
    );
    for (const [reason, ...args] of [
      [/^--account is missing; --help lists the options\.\n$/],
      [/--account must be/, '--account', 'a b'],
      [/--month must be/, '--account', 'acme', '--month', '2024-13'],
      [/--month must be/, '--account', 'acme', '--month', '2024'],
      [/--by must be key, person or model/, '--account', 'acme', '--by', 'day'],
      [/--colour/, '--account', 'acme', '--colour'],
    ] as const) {
      const { code, errors } = await usage(...args);
      assert.equal(code, 1);
      assert.match(errors, reason);
    }
  });
});
