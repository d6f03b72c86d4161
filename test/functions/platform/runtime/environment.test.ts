import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  IMAGE_RETENTION,
  KEPT_STORAGE,
  readEnvironment,
  wholeNumber,
} from '../../../../functions/platform/runtime/environment.ts';

const SHAPE = { NUMBER: wholeNumber, ...KEPT_STORAGE, ...IMAGE_RETENTION };
const VARIABLES = {
  NUMBER: '10',
  ACCOUNT_TABLE: 'accounts',
  KEPT_STORAGE_MEGABYTES: '120',
  IMAGE_RETENTION_SECONDS: '90',
};

test('variables are read at start-up, and a missing or malformed one is named', (context) => {
  const own = process.env;
  context.after(() => {
    process.env = own;
  });
  const read = (change: NodeJS.ProcessEnv) => {
    process.env = { ...VARIABLES, ...change };
    return readEnvironment(SHAPE);
  };
  const numbers = { NUMBER: 10, KEPT_STORAGE_MEGABYTES: 120, IMAGE_RETENTION_SECONDS: 90 };
  assert.deepEqual(read({}), { ...numbers, ACCOUNT_TABLE: 'accounts' });
  const { KEPT_STORAGE_MEGABYTES, IMAGE_RETENTION_SECONDS } = read({
    KEPT_STORAGE_MEGABYTES: '0',
    IMAGE_RETENTION_SECONDS: '0',
  });
  assert.deepEqual([KEPT_STORAGE_MEGABYTES, IMAGE_RETENTION_SECONDS], [0, undefined]);
  for (const [name, values] of [
    ['NUMBER', [undefined, '', '0', '01', 'x1', '1x', '1.5']],
    ['ACCOUNT_TABLE', [undefined, '']],
    ['KEPT_STORAGE_MEGABYTES', [undefined, '', '-1', 'x1', '1x']],
  ] as const)
    for (const value of values)
      assert.throws(() => read({ [name]: value }), {
        message: `missing or malformed environment variables: ${name}`,
      });
});
