import { describe, test } from 'node:test';
import { openAccount } from '../../../lib/rehearsal/account.ts';
import { REHEARSALS } from '../../../lib/rehearsal/rehearsals.ts';
import { longOr } from '../../support/long-tests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The others take a minute of CPU each. */
const SHORT = ['deployment'];

describe('the documented commands, against a control plane on this machine,', () => {
  for (const { name, title, run } of REHEARSALS)
    test(title, { skip: !longOr(SHORT.includes(name), true) && 'runs with LONG_TESTS=1' }, async ({
      diagnostic,
    }) => {
      const account = await openAccount({
        folder: await temporaryFolder('rehearsal'),
        // Other tests check the template.
        validates: false,
        print: diagnostic,
      });
      try {
        await run(account);
      } finally {
        await account.close();
      }
    });
});
