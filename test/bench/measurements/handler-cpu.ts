import { join } from 'node:path';
import * as z from 'zod';
import { LEAN_SDK } from '../../../lib/lambda/bundle-options.ts';
import { functionEnvironment } from '../../../lib/local/functions/definition.ts';
import { startServer } from '../../support/server.ts';
import type { Service } from '../../support/service.ts';
import { buildBundles, buildProbe } from '../build.ts';
import { runChild } from '../children.ts';
import { prepareTrials, type Trial } from '../handler-cpu/trials.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';

const BUDGETS = { beyondSdk: 0.15, againstPlain: 5 } as const;
const FOLDER = join(import.meta.dirname, '..', 'handler-cpu');
const COMPARISONS = {
  status: join(FOLDER, 'status-sdk.ts'),
  create: join(FOLDER, 'create-sdk.ts'),
  plain: join(FOLDER, 'plain-exchange.ts'),
};

/** Per variant, in turn; two copies of the SDK in one process would affect each other. */
const PROCESSES = 5;

type Parts = {
  readonly stage: Stage;
  readonly service: Service;
  readonly probe: string;
  readonly comparison: (name: keyof typeof COMPARISONS) => string;
  readonly plainUrl: string;
};
type Costs = Readonly<Record<'handler' | 'sdk' | 'plain', number>>;

/** CPU milliseconds per call of the deployed handler, of its SDK commands, and of a plain HTTP exchange. */
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
    ...parts.stage.size({}, { BENCH_CALLS: '1' }),
  };
  const measureCpu = async (bundle: string): Promise<number> =>
    z
      .number()
      .parse(await runChild(parts.probe, { arguments: [bundle, JSON.stringify(trial.event)], environment }));
  const [handler, sdk, plain]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < parts.stage.size(PROCESSES, 1); turn += 1) {
    handler.push(await measureCpu(join(definition.bundle, 'index.mjs')));
    sdk.push(await measureCpu(parts.comparison(trial.name)));
    plain.push(await measureCpu(parts.comparison('plain')));
  }
  return { handler: median(handler), sdk: median(sdk), plain: median(plain) };
};

const toFigures = ({ name }: Trial, { handler, sdk, plain }: Costs): readonly Figure[] => [
  {
    name: `CPU beyond the SDK, ${name}`,
    measured: Math.max(0, 1 - sdk / handler),
    unit: '',
    budget: BUDGETS.beyondSdk,
    note: `${handler.toFixed(2)} ms per call; its SDK commands alone ${sdk.toFixed(2)} ms; medians of ${PROCESSES} processes, ± 0.03`,
  },
  {
    name: `CPU relative to plain HTTP, ${name}`,
    measured: handler / plain,
    unit: '',
    ...(name === 'status' ? { budget: BUDGETS.againstPlain } : {}),
    note: `${handler.toFixed(2)} ms per call; plain HTTP exchange ${plain.toFixed(2)} ms`,
  },
];

/** Runs the deployed bundles with the local emulators and a cached API key. */
export const handlerCpu = async (stage: Stage): Promise<readonly Figure[]> => {
  const outdir = join(stage.folder, 'handler-cpu');
  const comparison = await buildBundles(COMPARISONS, outdir, LEAN_SDK);
  const probe = await buildProbe(join(FOLDER, 'probe.ts'), outdir);
  const service = await stage.start();
  const { item, trials } = await prepareTrials(service);
  const plain = await startPlainServer(`{"Item":${item}}`);
  try {
    const figures: Figure[] = [];
    for (const trial of trials)
      figures.push(
        ...toFigures(
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

/** Sends the same response to every request. */
const startPlainServer = (answer: string) =>
  startServer((request, response) => {
    request
      .resume()
      .once('end', () =>
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer),
      );
  });
