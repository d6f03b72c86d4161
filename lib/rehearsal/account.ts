import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startControlPlane } from '../local/control-plane/control-plane.ts';
import type { StackRecord } from '../local/control-plane/stack-record.ts';
import { startSamplePool } from '../sample-generator/server.ts';
import { Shell } from './shell.ts';

export type AccountOptions = {
  readonly folder: string;
  readonly print: (line: string) => void;
  /** Whether cdk checks the template, which takes most of a synthesis. */
  readonly validates: boolean;
  /** A rendered sample takes longer in good quality. */
  readonly drafts?: boolean;
  readonly isVerbose?: boolean;
};

export type Account = Awaited<ReturnType<typeof openAccount>>;

/** The key with which the stand-in of the upstream lets the service in. */
const UPSTREAM_KEY = 'sk-or-rehearsal';
const STACK = 'MediaGeneration';

/** A new AWS account on this machine, a shell with its credentials, and a stand-in for OpenRouter. */
export const openAccount = async ({
  folder,
  print,
  validates,
  drafts = true,
  isVerbose = false,
}: AccountOptions) => {
  mkdirSync(folder, { recursive: true });
  let failing: string | undefined;
  const upstream = await startSamplePool({
    cacheDir: join(folder, 'samples'),
    drafts,
    openrouter: [{ name: 'openrouter', port: 0, apiKey: UPSTREAM_KEY }],
  });
  const plane = await startControlPlane({
    folder: join(folder, 'account'),
    standIns: { 'https://openrouter.ai': upstream.openrouter[0]?.url ?? '' },
    failAt: ({ Type }, operation) =>
      operation === 'CREATE' && Type === failing ? 'The rehearsal lets this resource fail.' : undefined,
    onError: (where, error) => print(`${where}: ${error instanceof Error ? error.message : String(error)}`),
  });
  let apiKey = '';
  const findStack = (name = STACK): StackRecord | undefined =>
    plane.stacks().findLast((stack) => stack.name === name);
  const placeholders = (): Readonly<Record<string, string>> => {
    const outputs = findStack()?.outputs ?? {};
    const { BaseUrl = '', UpstreamSecretArn = '', MediaBucketName = '', KeyTableName = '' } = outputs;
    return {
      ACCOUNT_ID: plane.accountId,
      API_KEY: apiKey,
      BASE_URL: BaseUrl.replace(/\/$/, ''),
      BOUNDARY_NAME: 'media-boundary',
      MEDIA_BUCKET: MediaBucketName,
      REGION: plane.environment.AWS_REGION,
      TABLE: KeyTableName,
      UPSTREAM_SECRET_ARN: UpstreamSecretArn,
    };
  };
  writeFileSync(join(folder, 'key.txt'), `${UPSTREAM_KEY}\n`);
  const shell = new Shell({
    folder,
    print,
    placeholders,
    environment: {
      ...plane.environment,
      // The smoke test expects it of an address on this machine.
      MEDIA_GENERATION_ALLOWED_ORIGINS: '["http://127.0.0.1:8080"]',
      // A terminal without colours, on which cdk draws no progress.
      TERM: 'dumb',
      CI: 'true',
      CDK_DISABLE_VERSION_CHECK: 'true',
      CDK_OUTPUT: join(folder, 'cdk.out'),
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CDK_NOTICES: 'false',
      ...(validates ? {} : { CDK_VALIDATION: 'false' }),
    },
  });
  return {
    folder,
    plane,
    shell,
    findStack,
    dataResources: () => plane.dataResources(STACK),
    /** Types further commands as someone who has only these policies. */
    become: (name: string, policies: readonly unknown[]): void =>
      shell.export(plane.addPrincipal(name, policies)),
    /** Types a documented script, and remembers the API key that it prints. */
    type: async (script: string): Promise<string> => {
      const ended = await shell.type(script, (output) => {
        if (isVerbose) print(output.trimEnd());
        apiKey = /^mgk_[\w-]+$/m.exec(output)?.[0] ?? apiKey;
      });
      return ended.map(({ output }) => output).join('');
    },
    /** Lets the creation of resources of a type fail, until it is called without one. */
    failAt: (type?: string): void => {
      failing = type;
    },
    close: async (): Promise<void> => {
      await plane.close();
      await upstream.close();
    },
  };
};
