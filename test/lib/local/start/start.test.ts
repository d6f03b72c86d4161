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

  const start = (args: readonly string[], templateFile = fixture.templateFile) => {
    const child = spawn(process.execPath, [SCRIPT, templateFile, ...args], {
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
      says: /^--port must be a number from 0 to 65535, not x\.\n$/,
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
    const port = address !== null && typeof address === 'object' ? String(address.port) : '';
    await writeFile(folder('file'), '');
    const [busy, unwritable, broken] = await Promise.all([
      outcome(start(['--port', port, '--data', folder('busy')])),
      outcome(start(['--port', '0', '--data', folder('file/data')])),
      outcome(start(['--port', '0', '--data', folder('broken')], '')),
    ]);
    server.close();
    assert.equal(busy.errors, `Port ${port} is in use or not allowed: choose another with --port.\n`);
    assert.equal(unwritable.errors, `Cannot write to the data folder ${folder('file/data')}.\n`);
    assert.equal(broken.errors, 'The stack cannot be synthesized: there is no template\n');
    assert.deepEqual([busy.code, unwritable.code, broken.code], [1, 1, 1]);
  });

  it('lists its options', async () => {
    const { output, code } = await outcome(start(['--help']));
    assert.match(output, /--port N[\s\S]*--data DIR[\s\S]*--reset[\s\S]*--verbose/);
    assert.equal(code, 0);
  });

  it('prints base URL and key, keeps the key, rejects a second start, and leaves no process behind', async () => {
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

    const reset = start([...args, '--reset']);
    await ready(reset);
    assert.notEqual(JSON.parse(await readFile(folder('service/local.json'), 'utf8')).apiKey, apiKey);
    reset.kill('SIGTERM');
    await once(reset, 'exit');
  });

  it('exits when its parent is killed without sending a signal', async () => {
    const args = [SCRIPT, fixture.templateFile, '--port', '0', '--data', folder('orphaned')];
    const shell = spawn('sh', ['-c', '"$0" "$@"; true', process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(shell);
    await ready(shell);
    const orphans = await listDescendants(shell.pid);
    assert.ok(orphans.length >= 2);
    shell.kill('SIGKILL');
    try {
      await allGone(orphans);
    } finally {
      endAll(orphans);
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
