import { describe, type TestContext, test } from 'node:test';
import { openAccount } from '../../../lib/rehearsal/account.ts';
import { REHEARSALS, type Rehearsal } from '../../../lib/rehearsal/rehearsals.ts';
import { longOr } from '../../support/long-tests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const rehearse = async ({ run }: Rehearsal, context: TestContext): Promise<void> => {
  const account = await openAccount({
    folder: await temporaryFolder('rehearsal'),
    // Other tests check the template.
    validates: false,
    print: (line) => context.diagnostic(line),
  });
  try {
    await run(account);
  } finally {
    await account.close();
  }
};

/** The others take half a minute of CPU each. */
const isShort = ({ name }: Rehearsal): boolean => name === 'deployment';

describe('the documented commands, against a control plane on this machine,', () => {
  for (const rehearsal of REHEARSALS)
    test(
      rehearsal.title,
      { skip: !longOr(isShort(rehearsal), true) && 'runs with LONG_TESTS=1' },
      (context) => rehearse(rehearsal, context),
    );
});
