import { join } from 'node:path';
import * as z from 'zod';
import { LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { functionEnvironment } from '../../../lib/local/functions/definition.ts';
import { type Service, startService } from '../../support/service.ts';
import { buildBundles, buildProbe } from '../build.ts';
import { runChild } from '../children.ts';
import { startPlainServer } from '../handler-cpu/plain-server.ts';
import { type Trial, trialsFor } from '../handler-cpu/trials.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';

const BUDGETS = { beyondSdk: 0.1, againstPlain: 10 } as const;
const FOLDER = join(import.meta.dirname, '..', 'handler-cpu');
const COMPARISONS = {
  status: join(FOLDER, 'status-sdk.ts'),
  create: join(FOLDER, 'create-sdk.ts'),
  plain: join(FOLDER, 'plain-exchange.ts'),
};

/** Of each kind, in turn: two copies of the SDK in one process would get in each other's way. */
const PROCESSES = 5;

type Parts = {
  readonly stage: Stage;
  readonly service: Service;
  readonly probe: string;
  readonly comparison: (name: keyof typeof COMPARISONS) => string;
  readonly plainUrl: string;
};
type Costs = Readonly<Record<'handler' | 'sdk' | 'plain', number>>;

/** CPU milliseconds a call: the deployed handler, its SDK commands alone, and one plain exchange. */
const measure = async (trial: Trial, parts: Parts): Promise<Costs> => {
  const { endpoint, clientConfig } = parts.service.cloud;
  const definition = await parts.stage.definition(trial.function, endpoint);
  const access = {
    region: 'us-east-1',
    endpoint,
    credentials: (principal: string) => clientConfig(principal).credentials,
  };
  const environment = {
    ...functionEnvironment(definition, access),
    ...trial.variables,
    BENCH_PLAIN_URL: parts.plainUrl,
  };
  const costOf = async (bundle: string): Promise<number> =>
    z
      .number()
      .parse(await runChild(parts.probe, { arguments: [bundle, JSON.stringify(trial.event)], environment }));
  const [handler, sdk, plain]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < PROCESSES; turn += 1) {
    handler.push(await costOf(join(definition.bundle, 'index.mjs')));
    sdk.push(await costOf(parts.comparison(trial.name)));
    plain.push(await costOf(parts.comparison('plain')));
  }
  return { handler: median(handler), sdk: median(sdk), plain: median(plain) };
};

const figuresOf = ({ name }: Trial, { handler, sdk, plain }: Costs): readonly Figure[] => [
  {
    name: `CPU beyond the SDK, ${name}`,
    measured: Math.max(0, 1 - sdk / handler),
    unit: '',
    budget: BUDGETS.beyondSdk,
    note: `${handler.toFixed(2)} ms a call against ${sdk.toFixed(2)} ms of the same SDK commands alone; medians of ${PROCESSES} processes, which leave ± 0.03`,
  },
  {
    name: `CPU against plain HTTP, ${name}`,
    measured: handler / plain,
    unit: '',
    ...(name === 'status' ? { budget: BUDGETS.againstPlain } : {}),
    note: `${handler.toFixed(2)} ms a call against ${plain.toFixed(2)} ms of one plain HTTP exchange`,
  },
];

/** The deployed bundles against the local emulators, key warm. */
export const handlerCpu = async (stage: Stage): Promise<readonly Figure[]> => {
  const outdir = join(stage.folder, 'handler-cpu');
  const comparison = await buildBundles(COMPARISONS, outdir, LEAN_SDK);
  const probe = await buildProbe(join(FOLDER, 'probe.ts'), outdir);
  const service = await startService();
  const { item, trials } = await trialsFor(service);
  const plain = await startPlainServer(`{"Item":${item}}`);
  try {
    const figures: Figure[] = [];
    for (const trial of trials)
      figures.push(
        ...figuresOf(
          trial,
          await measure(trial, { stage, service, probe, comparison, plainUrl: `${plain.url}/` }),
        ),
      );
    return figures;
  } finally {
    await plain.close();
    await service.close();
  }
};
