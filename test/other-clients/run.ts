import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { Refusal, readOptions, runCommand } from '../../lib/command.ts';
import { PNG } from '../support/images.ts';
import { startService } from '../support/service.ts';
import { CLIENTS, type Client, GENERATORS } from './clients.ts';

const USAGE = `Installs clients of other vendors from npm, and runs them against the service on this machine.

Usage: npm run test:clients -- [WORD...]

  WORD  only clients whose names contain it: ${CLIENTS.map(({ name }) => name).join('; ')}`;

const FOLDER = resolve('.local', 'clients');
const HERE = import.meta.dirname;
const execute = promisify(execFile);

/** The clients whose names contain one of the given words; all clients if no word is given. */
const selectClients = (words: readonly string[]): readonly Client[] => {
  const isNamed = ({ name }: Client, word: string) => name.toLowerCase().includes(word.toLowerCase());
  const unknown = words.find((word) => !CLIENTS.some((client) => isNamed(client, word)));
  if (unknown !== undefined) throw new Refusal(`No client is named ${unknown}; --help lists the names.`);
  return words.length === 0
    ? CLIENTS
    : CLIENTS.filter((client) => words.some((word) => isNamed(client, word)));
};

/** Leaves the clients of an earlier run, if they have the same versions. */
const install = async (packages: string): Promise<Readonly<Record<string, string>>> => {
  const [lock, installed] = [join(FOLDER, 'package-lock.json'), join(FOLDER, 'installed.json')];
  if ((await readFile(installed, 'utf8').catch(() => '')) !== packages) {
    console.log(`Installing the clients into ${FOLDER}`);
    await rm(lock, { force: true });
    await writeFile(join(FOLDER, 'package.json'), packages);
    await execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER });
    await writeFile(installed, packages);
  }
  return JSON.parse(packages).dependencies;
};

const prepare = async (): Promise<Readonly<Record<string, string>>> => {
  await mkdir(FOLDER, { recursive: true });
  await rm(join(FOLDER, 'generated'), { recursive: true, force: true });
  await cp(join(HERE, 'programs'), FOLDER, { recursive: true });
  const project = JSON.parse(await readFile(join(HERE, 'tsconfig.programs.json'), 'utf8'));
  for (const name of GENERATORS)
    await writeFile(
      join(FOLDER, `tsconfig.${name}.json`),
      JSON.stringify({ ...project, include: [`${name}.ts`] }),
    );
  return install(await readFile(join(HERE, 'packages.json'), 'utf8'));
};

const readReason = (error: unknown): string => {
  const { stdout = '', stderr = '' } = Object(error);
  return stripVTControlCharacters(`${stdout}\n${stderr}`).trim().slice(-2000) || String(error);
};

type Outcome = { readonly result: 'passed' | 'failed' | 'skipped'; readonly reason?: string };

const run = async (client: Client, environment: NodeJS.ProcessEnv): Promise<Outcome> => {
  const call = ([program, ...parameters]: readonly [string, ...string[]]) =>
    execute(program, parameters, { cwd: FOLDER, env: environment, timeout: 400_000, maxBuffer: 2 ** 26 });
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

const runAll = async (clients: readonly Client[]): Promise<void> => {
  const versions = await prepare();
  const service = await startService();
  try {
    const document = await fetch(`${service.baseUrl}/openapi.json`);
    await writeFile(join(FOLDER, 'openapi.json'), await document.text());
    const environment = {
      ...process.env,
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
      IMAGE_URL: `data:image/png;base64,${PNG.toString('base64')}`,
    };
    const rows: { client: string; version: string; result: Outcome['result']; seconds: number }[] = [];
    for (const client of clients) {
      const start = performance.now();
      const outcome = await run(client, environment);
      const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
      const version = client.packages.map((name) => `${name} ${versions[name]}`).join(', ');
      if (outcome.result !== 'passed') console.log(`${client.name} ${outcome.result}: ${outcome.reason}`);
      rows.push({ client: client.name, version, result: outcome.result, seconds });
    }
    console.table(rows);
    const count = (result: string) => rows.filter((row) => row.result === result).length;
    console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
    if (count('failed') > 0) process.exitCode = 1;
  } finally {
    await service.close();
  }
};

await runCommand(USAGE, async (args) => {
  const { positionals } = readOptions({ args, allowPositionals: true, options: {} });
  await runAll(selectClients(positionals));
});
