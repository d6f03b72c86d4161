import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { Refusal, readOptions, runCommand } from '../../lib/command.ts';
import { PNG } from '../support/images.ts';
import { makeServiceAddress } from '../support/open-service.ts';
import { startService } from '../support/service.ts';
import { share } from '../support/shared.ts';
import { makeTemplate } from '../support/template.ts';
import { CLIENTS, type Client, GENERATORS, TESTED_CLIENTS } from './clients.ts';

const USAGE = `Installs clients of other vendors from npm, and runs them against the service on this machine.

Usage: npm run test:clients -- [--newest] [WORD...]

  --newest  the newest versions, also of the clients that npm test runs with fixed ones
  WORD      only clients whose names contain it: ${CLIENTS.map(({ name }) => name).join('; ')}`;

const HERE = import.meta.dirname;
const PACKAGES = join(HERE, 'packages.json');
const execute = promisify(execFile);

type Run = { readonly folder: string; readonly isNewest: boolean; readonly clients: readonly Client[] };

/** They compile what the clients generate, and a preview has no newest version. */
const isFixed = (name: string, version: string): boolean =>
  ['typescript', 'esbuild', '@types/node'].includes(name) || /^npm:|-/.test(version);

/** The clients of `npm test`, which run its files with other packages. */
const testedClients = (folder: string): readonly Client[] => {
  const names = [...new Set<string>(Object.values(TESTED_CLIENTS).flat())].join(' ');
  const variables = [`NEWEST_CLIENTS=${folder}`, `NEWEST_NAMES=${names}`];
  const setup = ['test/support/untracked-promises.ts', 'test/other-clients/newest-clients.ts'];
  return Object.entries(TESTED_CLIENTS).map(([name, packages]) => ({
    name: `npm test: ${name}`,
    packages,
    folder: resolve('.'),
    commands: [
      [
        'env',
        ...variables,
        'node',
        '--test',
        ...setup.map((file) => `--import=./${file}`),
        join('test', 'clients', `${name}.test.ts`),
      ],
    ],
  }));
};

/** The clients whose names contain one of the given words; all clients if no word is given. */
const selectClients = (all: readonly Client[], words: readonly string[]): readonly Client[] => {
  const isNamed = ({ name }: Client, word: string) => name.toLowerCase().includes(word.toLowerCase());
  const unknown = words.find((word) => !all.some((client) => isNamed(client, word)));
  if (unknown !== undefined) throw new Refusal(`No client is named ${unknown}; --help lists the names.`);
  return words.length === 0 ? all : all.filter((client) => words.some((word) => isNamed(client, word)));
};

const npmInstall = (folder: string, ...parameters: readonly string[]) =>
  execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...parameters], { cwd: folder });

/** Leaves the clients of an earlier run, if their pinned versions have not changed. */
const install = async (folder: string): Promise<void> => {
  const packages = await readFile(PACKAGES, 'utf8');
  const [lock, installed] = [join(folder, 'package-lock.json'), join(folder, 'installed.json')];
  if ((await readFile(installed, 'utf8').catch(() => '')) === packages) return;
  console.log(`Installing the clients into ${folder}`);
  await rm(lock, { force: true });
  await writeFile(join(folder, 'package.json'), packages);
  await npmInstall(folder);
  await writeFile(installed, packages);
};

/** Returns the reason if the newest versions of a client cannot be installed; the others run all the same. */
const installNewest = async (folder: string, { name, packages }: Client): Promise<string | undefined> => {
  const { dependencies } = JSON.parse(await readFile(PACKAGES, 'utf8'));
  const newest = packages.filter((each) => !isFixed(each, dependencies[each] ?? ''));
  if (newest.length === 0) return undefined;
  console.log(`Installing the newest ${newest.join(', ')} for ${name}`);
  try {
    // They need not have been released for each other; whether they work together is the result of the run.
    await npmInstall(folder, '--force', ...newest.map((each) => `${each}@latest`));
    return undefined;
  } catch (error) {
    return readReason(error);
  }
};

const installedVersion = async (folder: string, name: string): Promise<string> => {
  const file = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(() => '{}');
  return JSON.parse(file).version ?? 'not installed';
};

const prepare = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'generated'), { recursive: true, force: true });
  await cp(join(HERE, 'programs'), folder, { recursive: true });
  const project = JSON.parse(await readFile(join(HERE, 'tsconfig.programs.json'), 'utf8'));
  for (const name of GENERATORS)
    await writeFile(
      join(folder, `tsconfig.${name}.json`),
      JSON.stringify({ ...project, include: [`${name}.ts`] }),
    );
  await install(folder);
};

const readReason = (error: unknown): string => {
  const { stdout = '', stderr = '' } = Object(error);
  return stripVTControlCharacters(`${stdout}\n${stderr}`).trim().slice(-2000) || String(error);
};

type Outcome = { readonly result: 'passed' | 'failed' | 'skipped'; readonly reason?: string };

const runClient = async (
  client: Client,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> => {
  const cwd = client.folder ?? folder;
  const call = ([program, ...parameters]: readonly [string, ...string[]]) =>
    execute(program, parameters, { cwd, env: environment, timeout: 400_000, maxBuffer: 2 ** 26 });
  try {
    if (client.needs !== undefined) await call(client.needs);
  } catch {
    return { result: 'skipped', reason: 'not installed on this machine' };
  }
  try {
    for (const command of client.commands) await call(command);
    return { result: 'passed' };
  } catch (error) {
    return { result: 'failed', reason: readReason(error) };
  }
};

const runAll = async ({ folder, isNewest, clients }: Run): Promise<void> => {
  await prepare(folder);
  const missing = new Map<Client, string>();
  for (const client of isNewest ? clients : []) {
    const reason = await installNewest(folder, client);
    if (reason !== undefined) missing.set(client, reason);
  }
  // The files of npm test share a service of their own, which starts when the first of them asks for it.
  const endShared = await share({ service: makeServiceAddress, template: makeTemplate });
  const service = await startService();
  try {
    const document = await fetch(`${service.baseUrl}/openapi.json`);
    await writeFile(join(folder, 'openapi.json'), await document.text());
    const environment = {
      ...process.env,
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
      IMAGE_URL: `data:image/png;base64,${PNG.toString('base64')}`,
    };
    const rows: { client: string; version: string; result: Outcome['result']; seconds: number }[] = [];
    for (const client of clients) {
      const start = performance.now();
      const reason = missing.get(client);
      const outcome =
        reason === undefined
          ? await runClient(client, folder, environment)
          : ({ result: 'failed', reason } as const);
      const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
      const versions = client.packages.map(async (name) => `${name} ${await installedVersion(folder, name)}`);
      const version = (await Promise.all(versions)).join(', ');
      if (outcome.result !== 'passed') console.log(`${client.name} ${outcome.result}: ${outcome.reason}`);
      rows.push({ client: client.name, version, result: outcome.result, seconds });
    }
    console.table(rows);
    const count = (result: string) => rows.filter((row) => row.result === result).length;
    console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
    if (count('failed') > 0) process.exitCode = 1;
  } finally {
    await service.close();
    await endShared();
  }
};

await runCommand(USAGE, async (args) => {
  const options = { newest: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readOptions({ args, allowPositionals: true, options });
  const folder = resolve('.local', values.newest ? 'newest-clients' : 'clients');
  const all = values.newest ? [...testedClients(folder), ...CLIENTS] : CLIENTS;
  await runAll({ folder, isNewest: values.newest, clients: selectClients(all, positionals) });
});
