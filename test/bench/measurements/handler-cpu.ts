import { join } from 'node:path';
import * as z from 'zod';
import { FUNCTION_ALIAS } from '../../../lib/bundles.ts';
import { functionEnvironment } from '../../../lib/local/functions/environment.ts';
import { type Service, startService } from '../../support/service.ts';
import { buildBundles, buildProbe } from '../build.ts';
import { runChild } from '../children.ts';
import { type Trial, trialsFor } from '../handler-cpu/trials.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';

const BUDGET = 0.1;
const FOLDER = join(import.meta.dirname, '..', 'handler-cpu');
const SDK_ONLY = { status: join(FOLDER, 'status-sdk.ts'), create: join(FOLDER, 'create-sdk.ts') };

/** Of each kind, in turn: two copies of the SDK in one process would get in each other's way. */
const PROCESSES = 7;

const measure = async (trial: Trial, { stage, service, probe, sdkOnly }: Parts): Promise<Figure> => {
  const { endpoint, clientConfig } = service.cloud;
  const definition = await stage.definition(trial.function, endpoint);
  const access = {
    region: 'us-east-1',
    endpoint,
    credentials: (principal: string) => clientConfig(principal).credentials,
  };
  const environment = { ...functionEnvironment(definition, access), ...trial.variables };
  const costOf = async (bundle: string): Promise<number> =>
    z
      .number()
      .parse(await runChild(probe, { arguments: [bundle, JSON.stringify(trial.event)], environment }));
  const [whole, sdk]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < PROCESSES; turn += 1) {
    whole.push(await costOf(join(definition.bundle, 'index.mjs')));
    sdk.push(await costOf(sdkOnly(trial.name)));
  }
  const [all, part] = [median(whole), median(sdk)];
  return {
    name: `CPU beyond the SDK, ${trial.name}`,
    measured: Math.max(0, 1 - part / all),
    unit: '',
    budget: BUDGET,
    note: `${all.toFixed(2)} ms a call against ${part.toFixed(2)} ms of the same SDK commands alone; medians of ${PROCESSES} processes, which leave ± 0.03`,
  };
};

type Parts = {
  readonly stage: Stage;
  readonly service: Service;
  readonly probe: string;
  readonly sdkOnly: (name: string) => string;
};

/** The deployed bundles against the local emulators, key warm. */
export const handlerCpu = async (stage: Stage): Promise<readonly Figure[]> => {
  const outdir = join(stage.folder, 'handler-cpu');
  const sdkOnly = await buildBundles(SDK_ONLY, outdir, { alias: FUNCTION_ALIAS });
  const probe = await buildProbe(join(FOLDER, 'probe.ts'), outdir);
  const service = await startService();
  try {
    const figures: Figure[] = [];
    for (const trial of await trialsFor(service))
      figures.push(await measure(trial, { stage, service, probe, sdkOnly }));
    return figures;
  } finally {
    await service.close();
  }
};
