import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionFiles } from '../../lib/lambda/bundle-options.ts';
import { type FunctionDefinition, readFunctions } from '../../lib/local/functions/definition.ts';
import { createStack } from '../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../lib/local/template/template.ts';
import { TEST_CONFIG } from '../support/assembly.ts';
import { synthesizeInto } from '../support/synthesize.ts';

/** The stack of the tests, with the timeouts of a deployed one. */
const CONFIG = { ...TEST_CONFIG, workerTimeoutSeconds: 120, sweepGraceSeconds: 60 };

const HOME = { region: 'us-east-1', accountId: '000000000000', stackName: 'MediaGeneration' };

export type Stage = {
  /** Removed when the bench ends. */
  readonly folder: string;
  readonly names: readonly string[];
  readonly templateFile: string;
  /** A function of the template, with the URLs of the given endpoint. */
  readonly definition: (name: string, endpoint: string) => Promise<FunctionDefinition>;
};

/** `create-video` is `CreateVideo` in the template, where CDK appends a hash. */
export const logicalName = (name: string): string =>
  name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Synthesizes and bundles once for all measurements. */
export const prepareStage = async (): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  // At exit, so that a signal removes it too.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const assembly = synthesizeInto(join(folder, 'assembly'), CONFIG);
  // Every service that a measurement starts uses this assembly.
  process.env.TEST_ASSEMBLY = assembly;
  return {
    folder,
    names: [...functionFiles().keys()],
    templateFile: `${assembly}.template.json`,
    definition: async (name, endpoint) => {
      const { template, assetPath } = await readSynthesizedStack({
        templateFile: `${assembly}.template.json`,
        assetsFile: `${assembly}.assets.json`,
      });
      const wanted = new RegExp(`^${logicalName(name)}[0-9A-F]{8}$`);
      const all = readFunctions(createStack(template, { ...HOME, endpoint }), assetPath);
      const found = all.find(({ logicalId }) => wanted.test(logicalId));
      if (found === undefined) throw new Error(`the template has no function ${name}`);
      return found;
    },
  };
};
