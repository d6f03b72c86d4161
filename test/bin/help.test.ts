import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCRIPTS, scriptFile } from '../support/scripts.ts';
import { runFile } from './run-command.ts';

/** They start other programs, which have a help of their own. */
const WITHOUT_HELP = ['test', 'test:quick', 'check', 'format'];
/** It runs until it is stopped; its own tests ask it for help. */
const NEVER_ENDS = 'start';

describe('--help prints the usage and does nothing else:', () => {
  for (const [name, script] of Object.entries(SCRIPTS))
    if (!WITHOUT_HELP.includes(name) && name !== NEVER_ENDS)
      test(`npm run ${name}`, async () => {
        const { file, args } = scriptFile(script);
        const { code, output, errors } = await runFile(file, [...args, '--help']);
        assert.deepEqual([code, errors], [0, '']);
        assert.match(output, /^[A-Z].+?\.\n\nUsage: npm run /s);
        assert.match(output, new RegExp(`^(?:Usage:| {6}) npm run (?:-s )?${name}\\b`, 'm'));
      });
});
