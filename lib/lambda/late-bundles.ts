import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { existingBundles, GO_SETTINGS } from './bundling.ts';

/** A file in the folder of a function's code that names the function until its bundle is there. */
const NAME_FILE = 'function-name';

/** A folder for the code of a function that is bundled when it is first used. */
export const emptyBundle = (outdir: string, name: string): string => {
  const folder = join(outdir, 'empty-bundles', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, NAME_FILE), name);
  return folder;
};

const BUNDLE = join(import.meta.dirname, 'bundle.ts');
const BUNDLING = join(import.meta.dirname, 'bundling.ts');

/** Links where the file system allows it: the bundles of all functions have more than 60 MB. */
const linkFiles = async (from: string, to: string): Promise<void> => {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    await mkdir(dirname(target), { recursive: true });
    await link(source, target).catch(() => copyFile(source, target));
  }
};

type Run = { readonly names: string[]; readonly outdir: Promise<string> };

/**
 * Bundles functions for `npm start`: those that receive events at once, and the others in the background. All of them
 * take several seconds, and most are not used soon.
 */
export class LateBundles {
  readonly #assembly: string;
  readonly #loads = new Map<string, Promise<void>>();
  /** The bundles of all functions, once they exist. */
  #all: string | undefined;
  readonly #children = new Set<ChildProcess>();
  #prepared: { readonly names: readonly string[]; readonly outdir: Promise<string | undefined> } | undefined;
  #lastRun: Promise<unknown> = Promise.resolve();
  #nextRun: Run | undefined;

  readonly #existing: () => string | undefined;

  /** `assembly` is the folder of the synthesized stack. */
  constructor(assembly: string, existing: () => string | undefined = existingBundles) {
    this.#assembly = assembly;
    this.#existing = existing;
  }

  /**
   * Bundles the functions that are probably used first. Another process does it while this one synthesizes the stack, so
   * that the first response does not wait for the bundler.
   */
  readonly prepare = (names: readonly string[]): void => {
    this.#all = this.#existing();
    if (this.#all !== undefined) return;
    mkdirSync(this.#assembly, { recursive: true });
    const folder = mkdtempSync(join(this.#assembly, 'bundles-'));
    const bundling = this.#run([BUNDLE, folder, ...names]);
    // If it fails, each function is bundled when it is used, which reports the reason.
    const outdir = bundling.then(
      (code) => (code === 0 ? folder : undefined),
      () => undefined,
    );
    this.#prepared = { names, outdir };
  };

  /** Fills the folder of a function's code. */
  readonly load = (folder: string): Promise<void> => {
    const known = this.#loads.get(folder);
    if (known !== undefined) return known;
    const loading = this.#load(folder);
    this.#loads.set(folder, loading);
    // The source may be corrected before the next event.
    loading.catch(() => this.#loads.delete(folder));
    return loading;
  };

  /** Fills the folders of all functions that have not been used yet. */
  readonly loadOthers = async (): Promise<void> => {
    this.#all ??= this.#existing() ?? (await this.#bundleAll());
    // Where bundles cannot be kept, each function is bundled on its first use.
    if (this.#all === undefined) return;
    for (const name of await readdir(this.#assembly))
      if (name.startsWith('asset.')) await this.load(join(this.#assembly, name));
  };

  readonly close = (): void => {
    for (const child of this.#children) child.kill();
  };

  async #bundleAll(): Promise<string | undefined> {
    await this.#run([BUNDLING], constants.priority.PRIORITY_BELOW_NORMAL);
    return this.#existing();
  }

  /** Returns the exit code. */
  async #run(args: readonly string[], priority?: number): Promise<unknown> {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...GO_SETTINGS, ...process.env },
    });
    this.#children.add(child);
    if (child.pid !== undefined && priority !== undefined) setPriority(child.pid, priority);
    const [code] = await once(child, 'exit');
    this.#children.delete(child);
    return code;
  }

  async #load(folder: string): Promise<void> {
    const nameFile = join(folder, NAME_FILE);
    // Other assets of the stack are complete.
    if (!existsSync(nameFile)) return;
    const name = readFileSync(nameFile, 'utf8');
    await linkFiles(join(this.#all ?? (await this.#bundle(name)), name), folder);
    await rm(nameFile);
  }

  /** Functions that are needed while the bundler runs share its next run, because they share most of their packages. */
  async #bundle(name: string): Promise<string> {
    const prepared = this.#prepared?.names.includes(name) === true ? await this.#prepared.outdir : undefined;
    if (prepared !== undefined && existsSync(join(prepared, name))) return prepared;
    this.#nextRun ??= this.#startRun();
    this.#nextRun.names.push(name);
    return this.#nextRun.outdir;
  }

  #startRun(): Run {
    const names: string[] = [];
    const outdir = this.#lastRun.then(async () => {
      this.#nextRun = undefined;
      const folder = await mkdtemp(join(this.#assembly, 'bundles-'));
      const { bundleFunctions } = await import('./bundle.ts');
      await bundleFunctions(folder, names);
      return folder;
    });
    this.#lastRun = outdir.catch(() => {});
    return { names, outdir };
  }
}
