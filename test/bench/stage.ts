import { rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { functionFiles } from '../../lib/lambda/bundle-options.ts';
import { type FunctionDefinition, readFunctions } from '../../lib/local/functions/definition.ts';
import { createStack } from '../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../lib/local/template/template.ts';
import { TEST_CONFIG } from '../support/assembly.ts';
import { startInThisProcess } from '../support/functions-in-one-process.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';

/** The stack of the tests, with the timeouts of a deployed one. */
const CONFIG = { ...TEST_CONFIG, workerTimeoutSeconds: 120, sweepGraceSeconds: 60 };

const HOME = { region: 'us-east-1', accountId: '000000000000', stackName: 'MediaGeneration' };

/** Functions run without processes, whose start would take most of the time. Measurements do not close the shared service. */
const quickServices = () => {
  let started: Promise<Service> | undefined;
  const keepOpen = async (): Promise<void> => {};
  return {
    start: async (options?: ServiceOptions): Promise<Service> => {
      if (options !== undefined) return startService({ ...options, startChild: startInThisProcess });
      started ??= startService({ startChild: startInThisProcess });
      return { ...(await started), close: keepOpen, [Symbol.asyncDispose]: keepOpen };
    },
    close: async (): Promise<void> => (await started)?.close(),
  };
};

export type Stage = {
  /** Removed when the bench ends. */
  readonly folder: string;
  /** The functions of the stack. */
  readonly names: readonly string[];
  /** A service of its own, or, if the measurements only have to work, one that all without options share. */
  readonly start: (options?: ServiceOptions) => Promise<Service>;
  /** Ends the shared service. */
  readonly close: () => Promise<void>;
  /** The first size, or the second one if the measurements only have to work. */
  readonly size: <Size>(full: Size, quick: Size) => Size;
  readonly templateFile: string;
  /** A function of the template, with the URLs of the given endpoint. */
  readonly definition: (name: string, endpoint: string) => FunctionDefinition;
};

/** `create-video` is `CreateVideo` in the template, where CDK appends a hash. */
export const logicalName = (name: string): string =>
  name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Tests have an assembly, which takes longer to make than to measure a little with it; a measurement changes its copy. */
const findAssembly = async (folder: string, isQuick: boolean): Promise<string> => {
  const given = process.env.TEST_ASSEMBLY;
  if (isQuick && given !== undefined) {
    await cp(dirname(given), join(folder, 'assembly'), { recursive: true });
    return join(folder, 'assembly', basename(given));
  }
  const { synthesizeInto } = await import('../support/synthesize.ts');
  return synthesizeInto(join(folder, 'assembly'), CONFIG);
};

/** Synthesizes and bundles once for all measurements. */
export const prepareStage = async (isQuick: boolean): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  // At exit, so that a signal removes it too.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const assembly = await findAssembly(folder, isQuick);
  // Every service that a measurement starts uses this assembly.
  process.env.TEST_ASSEMBLY = assembly;
  const { template, assetPath } = await readSynthesizedStack({
    templateFile: `${assembly}.template.json`,
    assetsFile: `${assembly}.assets.json`,
  });
  const known = new Map<string, readonly FunctionDefinition[]>();
  const definitions = (endpoint: string): readonly FunctionDefinition[] => {
    const found =
      known.get(endpoint) ?? readFunctions(createStack(template, { ...HOME, endpoint }), assetPath);
    known.set(endpoint, found);
    return found;
  };
  const find = (all: readonly FunctionDefinition[], name: string): FunctionDefinition | undefined => {
    const wanted = new RegExp(`^${logicalName(name)}[0-9A-F]{8}$`);
    return all.find(({ logicalId }) => wanted.test(logicalId));
  };
  const deployed = definitions('http://127.0.0.1:9');
  return {
    folder,
    // Settings add others.
    names: [...functionFiles().keys()].filter((name) => find(deployed, name) !== undefined),
    ...(isQuick ? quickServices() : { start: startService, close: async () => {} }),
    size: (full, quick) => (isQuick ? quick : full),
    templateFile: `${assembly}.template.json`,
    definition: (name, endpoint) => {
      const found = find(definitions(endpoint), name);
      if (found === undefined) throw new Error(`the template has no function ${name}`);
      return found;
    },
  };
};
