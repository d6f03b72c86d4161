import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionFiles } from '../../../lib/lambda/bundle-options.ts';
import { functionEnvironment, readFunctions } from '../../../lib/local/functions/definition.ts';
import { FunctionProcess } from '../../../lib/local/functions/function-process.ts';
import { createStack } from '../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../lib/local/template/template.ts';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { startDeployed } from '../../support/functions-in-one-process.ts';
import { synthesizeInto } from '../../support/synthesize.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** No server is needed, because a function makes no calls while it loads. */
const NOWHERE = 'http://127.0.0.1:9';
const HOME = { region: 'us-east-1', accountId: '000000000000', stackName: 'MediaGeneration' };
const credentials = () => ({ accessKeyId: 'none', secretAccessKey: 'none' });

// Most tests run functions with packages that they share, so some bundles are loaded nowhere else.
test('every function loads the code that is deployed', async () => {
  // Also those that only a setting deploys.
  const stack = synthesizeInto(await temporaryFolder('deployed'), { ...TEST_CONFIG, probe: true });
  const files = { templateFile: `${stack}.template.json`, assetsFile: `${stack}.assets.json` };
  const { template, assetPath } = await readSynthesizedStack(files);
  const functions = readFunctions(createStack(template, { ...HOME, endpoint: NOWHERE }), assetPath);
  const failed: string[] = [];
  for (const definition of functions) {
    const environment = functionEnvironment(definition, {
      region: HOME.region,
      endpoint: NOWHERE,
      credentials,
    });
    const child = { ...definition, runtimeFile: '', environment, onLine: undefined };
    const { type, ...rest } = await new FunctionProcess(child, startDeployed).loaded;
    if (type !== 'ready') failed.push(`${definition.logicalId}: ${JSON.stringify(rest)}`);
  }
  assert.deepEqual(failed, []);
  assert.ok(functions.length >= functionFiles().size);
});
