import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readFormBody } from '../../../../functions/api/body/request-body.ts';
import { DomainError } from '../../../../functions/domain/errors.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const BOUNDARY = 'boundary';
const PARTS = [
  'Content-Disposition: form-data; name="prompt"\r\n\r\na fox',
  'Content-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes',
  'Content-Disposition: form-data; filename="a.png"\r\n\r\nbytes of a part without a name',
  'Content-Disposition: form-data\r\n\r\nneither name nor file name',
  'Content-Disposition: form-data; name=""; filename=""\r\n\r\n',
  'no header at all',
];

const RANDOM = seededRandom(20_261_116);
const pick = <T>(choices: readonly [T, ...T[]]): T =>
  choices[Math.floor(RANDOM() * choices.length)] ?? choices[0];

/** Some parts in any order, cut off anywhere, some with bytes taken out. */
const malformedForm = (): Buffer => {
  const parts = Array.from(
    { length: 1 + Math.floor(RANDOM() * 4) },
    () => PARTS[Math.floor(RANDOM() * PARTS.length)],
  );
  const whole = Buffer.from(
    `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`,
  );
  const cut = whole.subarray(0, Math.floor(RANDOM() * whole.length) + 1);
  const at = Math.floor(RANDOM() * cut.length);
  return pick([cut, cut, Buffer.concat([cut.subarray(0, at), cut.subarray(at + 3)])]);
};

/** On Lambda, each of these would end the function. */
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
before(() => process.on('uncaughtException', note));
after(() => process.off('uncaughtException', note));

test('1,000 malformed forms are read or refused with 400, and none raises an error that nobody catches', async () => {
  let refusals = 0;
  for (let count = 0; count < 1000; count += 1) {
    const form = malformedForm();
    try {
      await readFormBody(`multipart/form-data; boundary=${BOUNDARY}`, form);
    } catch (error) {
      assert.ok(error instanceof DomainError && error.row.http === 400, form.toString());
      refusals += 1;
    }
    await nextTurn();
    assert.deepEqual(uncaught, [], form.toString());
  }
  assert.ok(refusals > 500, String(refusals));
});
