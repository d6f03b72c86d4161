import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIGURATIONS } from '../../../lib/evidence/configurations.ts';
import { lacksFeature, OperatorError, stackTable } from '../../../lib/operator/operated-stack.ts';
import { accountPeople } from '../../../lib/operator/people.ts';
import { RULES } from '../../../lib/operator/restore-rules.ts';
import { templateWith } from '../stack/synthesized-template.ts';

const outputsOf = async (name: 'core' | 'default') => {
  const { Outputs } = await templateWith(CONFIGURATIONS[name]);
  return Object.fromEntries(Object.keys(Outputs).map((output) => [output, `the ${output}`]));
};

const core = { outputs: await outputsOf('core'), clientConfig: {} };
const complete = { outputs: await outputsOf('default'), clientConfig: {} };

test('a command for a feature that the stack leaves out says so in one sentence', () => {
  const refusal = new OperatorError('The feature people is not part of this stack (setting features).');
  assert.throws(() => accountPeople(core, 'acme'), refusal);
  const shares = new OperatorError('The feature shares is not part of this stack (setting features).');
  assert.throws(() => stackTable(core, 'ShareTableName'), shares);
});

test('an output that every stack has is missing from another version or service only', () => {
  const outputs = { ...core.outputs, KeyTableName: undefined };
  const given = Object.fromEntries(
    Object.entries(outputs).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  assert.throws(
    () => stackTable({ outputs: given, clientConfig: {} }, 'KeyTableName'),
    /belongs to another version/,
  );
});

test('a restore has rules for the tables of each stack', () => {
  const left = (stack: typeof core) =>
    RULES.flatMap(([output]) => (lacksFeature(stack, output) ? [] : [output]));
  for (const stack of [core, complete])
    for (const output of left(stack)) assert.equal(stack.outputs[output], `the ${output}`);
  assert.equal(left(complete).length, RULES.length);
  assert.equal(left(core).length, RULES.length - 4);
});
