import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_CALL } from '../../../functions/adapters/aws-clients.ts';
import { resourcesOf, templateWith } from './synthesized-template.ts';

test('an AWS call that is never answered is given up before any function is stopped', () => {
  for (const [id, { Properties }] of resourcesOf(templateWith({}), 'AWS::Lambda::Function')) {
    if (Properties.Runtime !== 'nodejs24.x') continue;
    assert.ok(Number(Properties.Timeout) * 1000 > LONGEST_CALL, `${id}: ${Properties.Timeout} s`);
  }
});
