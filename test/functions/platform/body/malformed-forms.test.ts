import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readFormBody } from '../../../../functions/platform/body/request-body.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { FORM_TYPE, malformedForms } from '../../../support/malformed-forms.ts';

const nextForm = malformedForms(20_261_116);

/** On Lambda, each of these would end the function. */
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
before(() => process.on('uncaughtException', note));
after(() => process.off('uncaughtException', note));

test('1,000 malformed forms are read or refused with 400, and none raises an error that nobody catches', async () => {
  let refusals = 0;
  for (let count = 0; count < 1000; count += 1) {
    const form = nextForm();
    try {
      await readFormBody(FORM_TYPE, form);
    } catch (error) {
      assert.ok(error instanceof DomainError && error.row.http === 400, form.toString());
      refusals += 1;
    }
    await nextTurn();
    assert.deepEqual(uncaught, [], form.toString());
  }
  assert.ok(refusals > 500, String(refusals));
});
