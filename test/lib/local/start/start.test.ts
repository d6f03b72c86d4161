import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { startService } from '../../../../lib/local/start/start.ts';
import { allGone, endAll, listChildren, listDescendants } from '../../../support/processes.ts';
import { openFixture } from '../fixture/open-fixture.ts';

const SCRIPT = fileURLToPath(new URL('../fixture/run-service.ts', import.meta.url));
const summarySchema = z.object({ baseUrl: z.string(), apiKey: z.string() });

const fixture = await openFixture();

describe('the start command', () => {
  const started: ChildProcess[] = [];
  after(() => {
    for (const child of started) child.kill('SIGKILL');
  });

  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, [SCRIPT, fixture.templateFile, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  };
  const outcome = async (child: ChildProcess) => {
    const { stdout, stderr } = child;
    assert.ok(stdout !== null && stderr !== null);
    const [output, errors, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
    return { output, errors, code };
  };
  const ready = async (child: ChildProcess) => {
    let output = '';
    for await (const chunk of child.stdout ?? []) {
      output += chunk;
      if (output.includes('video.mp4\n')) return output;
    }
    throw new Error(`It exited before it was ready: ${output}`);
  };
  const folder = (name: string) => join(fixture.folder, name);

  const INVALID_OPTIONS = [
    {
      name: 'an unknown option',
      args: ['--colour'],
      says: /^Unknown option '--colour'; --help lists the options\.\n$/,
    },
    {
      name: 'an invalid port',
      args: ['--port', 'x'],
      says: /^--port must be a whole number from 0 to 65535, not x\.\n$/,
    },
  ];
  for (const { name, args, says } of INVALID_OPTIONS) {
    it(`rejects ${name} in one sentence`, async () => {
      const { errors, code } = await outcome(start(args));
      assert.match(errors, says);
      assert.equal(code, 1);
    });
  }

  it('rejects a busy port, a read-only folder and a failing stack in one sentence each', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const busy = address !== null && typeof address === 'object' ? address.port : 0;
    await writeFile(folder('file'), '');
    const synthesize = () => Promise.reject(new Error('there is no template\nand this line is one too many'));
    const service = { synthesize, issueKey: () => assert.fail(), issueSignInUrl: () => assert.fail() };
    const rejects = (name: string, port: number, message: string) =>
      assert.rejects(
        startService(
          { port, folder: folder(name), upstreams: 1, reset: false, verbose: false, help: false },
          service,
          () => {},
        ),
        { name: 'LocalCloudError', message },
      );
    await rejects('busy', busy, `Port ${busy} is in use or not allowed: choose another with --port.`);
    await rejects('file/data', 0, `Cannot write to the data folder ${folder('file/data')}.`);
    await rejects('broken', 0, 'The stack cannot be synthesized: there is no template');
    server.close();
  });

  it('takes real upstreams instead of sample generators, says so first, and mixes them with none', async () => {
    const printed: string[] = [];
    const given: unknown[] = [];
    const upstreams = { settings: { upstreams: [] }, secret: 'key', lines: ['Upstream router: …'] };
    const synthesize = async ({ settings }: { settings: unknown }) => {
      given.push(settings);
      throw new Error('enough');
    };
    const service = {
      upstreams,
      synthesize,
      issueKey: () => assert.fail(),
      issueSignInUrl: () => assert.fail(),
    };
    const options = { port: 0, reset: false, verbose: false, help: false };
    const startWith = (count: number | undefined) =>
      startService({ ...options, folder: folder('real'), upstreams: count }, service, (line) =>
        printed.push(line),
      );
    await assert.rejects(startWith(undefined), { message: 'The stack cannot be synthesized: enough' });
    assert.deepEqual([printed, given], [upstreams.lines, [upstreams.settings]]);
    await assert.rejects(startWith(2), {
      message:
        '--upstreams starts sample generators; the environment names other upstreams. Use one or the other.',
    });
  });

  it('lists its options', async () => {
    const { output, code } = await outcome(start(['--help']));
    assert.match(output, /--port N[\s\S]*--data DIR[\s\S]*--reset[\s\S]*--verbose/);
    assert.equal(code, 0);
  });

  it('prints base URL and key, keeps the key, rejects a second start, and leaves no process behind, also when its parent is killed', async () => {
    const args = ['--port', '0', '--data', folder('service')];
    const first = start(args);
    const output = await ready(first);
    const { baseUrl, apiKey } = summarySchema.parse(
      JSON.parse(await readFile(folder('service/local.json'), 'utf8')),
    );
    const link = JSON.parse(await readFile(folder('service/local.json'), 'utf8')).signInUrl;
    assert.ok(
      link.startsWith(`${baseUrl}/console/sign-in#`) && output.indexOf(link) < output.indexOf('Base URL'),
    );
    assert.ok(output.includes(`Base URL  ${baseUrl}`) && output.includes(`API key   ${apiKey}`));
    assert.equal((await fetch(`${baseUrl}/probe`)).status, 200);
    assert.deepEqual(await openToOthers(folder('service')), []);
    const second = await outcome(start(args));
    assert.match(second.errors, /^The data folder .* is in use by process \d+: [^\n]*\n$/);
    assert.equal(second.code, 1);
    const children = await listChildren(first.pid);
    assert.ok(children.length >= 2);
    first.kill('SIGINT');
    const [code] = await once(first, 'exit');
    assert.equal(code, 0);
    await allGone(children);

    const again = start(args);
    await ready(again);
    const kept = JSON.parse(await readFile(folder('service/local.json'), 'utf8'));
    assert.equal(kept.apiKey, apiKey);
    assert.notEqual(kept.signInUrl, link);
    const orphans = await listChildren(again.pid);
    again.kill('SIGKILL');
    await allGone(orphans);

    // A shell that is killed sends no signal to the service.
    const command = [process.execPath, SCRIPT, fixture.templateFile, ...args, '--reset'];
    const shell = spawn('sh', ['-c', '"$0" "$@"; true', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(shell);
    await ready(shell);
    assert.notEqual(JSON.parse(await readFile(folder('service/local.json'), 'utf8')).apiKey, apiKey);
    const descendants = await listDescendants(shell.pid);
    assert.ok(descendants.length >= 2);
    shell.kill('SIGKILL');
    try {
      await allGone(descendants);
    } finally {
      endAll(descendants);
    }
  });
});

/** Files that other users can access, except fonts, which are public. */
async function openToOthers(folder: string): Promise<string[]> {
  const names = ['', ...(await readdir(folder, { recursive: true }))];
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode));
  const open = names.filter((_, index) => ((modes[index] ?? 0) & 0o077) !== 0);
  return open.filter((name) => !name.endsWith('.ttf'));
}
