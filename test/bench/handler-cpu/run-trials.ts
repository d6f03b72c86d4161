import { join } from 'node:path';
import { LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { functionEnvironment } from '../../../lib/local/functions/definition.ts';
import { buildBundles } from '../build.ts';
import { runChild } from '../children.ts';
import type { Stage } from '../stage.ts';
import { startFixedAws, type Trial, VARIABLES } from './trials.ts';

type Settings = { readonly variables?: Readonly<Record<string, string>>; readonly flags?: readonly string[] };
type RunTrial = (trial: Trial, settings: Settings) => Promise<unknown>;

/** Passes a function that runs the probe with a trial's Lambda, bundled as the stack does, and returns its message. */
export const withTrials = async <Result>(
  stage: Stage,
  probe: 'probe' | 'allocation',
  act: (run: RunTrial) => Promise<Result>,
): Promise<Result> => {
  const files = ['status', 'create', probe].map((name) => [name, join(import.meta.dirname, `${name}.ts`)]);
  const bundle = await buildBundles(Object.fromEntries(files), join(stage.folder, probe), LEAN_SDK);
  const aws = await startFixedAws();
  try {
    return await act(async (trial, { variables, flags = [] }) => {
      const definition = stage.definition(trial.function, aws.url);
      const environment = functionEnvironment(definition, {
        region: 'us-east-1',
        endpoint: aws.url,
        credentials: () => ({ accessKeyId: 'none', secretAccessKey: 'none' }),
      });
      return runChild(bundle(probe), {
        arguments: [bundle(trial.name), JSON.stringify(trial.event)],
        environment: { ...environment, ...VARIABLES, ...variables },
        flags,
      });
    });
  } finally {
    await aws.close();
  }
};
