import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CONSOLE_BUNDLE } from './lambda/console-build.ts';
import { loadContents, readPackage, type ShippedPackage } from './lambda/shipped-packages.ts';

const PROJECT = join(import.meta.dirname, '..');

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(PROJECT, name), 'utf8'));

const projectSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
});
const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })),
});

const packageUrl = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

const hashFile = (path: string) => ({
  alg: 'SHA-256',
  content: createHash('sha256').update(readFileSync(path)).digest('hex'),
});

/** The lock file has the hash of the package archive in Base64. */
const archiveHash = (integrity: string | undefined) => {
  const [algorithm, hash] = integrity?.split('-') ?? [];
  if (algorithm !== 'sha512' || hash === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] };
};

/** A license is an SPDX identifier or an expression. */
const licenseChoice = (license: string) =>
  license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }];

const packageComponent = (shipped: ShippedPackage, integrity: string | undefined) => ({
  type: 'library',
  'bom-ref': packageUrl(shipped),
  name: shipped.name,
  version: shipped.version,
  licenses: licenseChoice(shipped.license),
  purl: packageUrl(shipped),
  ...archiveHash(integrity),
});

const bundleReference = (name: string): string => (name === CONSOLE_BUNDLE ? name : `function/${name}`);

const fileComponent = (folder: string, name: string) => ({
  type: 'file',
  name,
  hashes: [hashFile(join(folder, name))],
});

const functionComponent = (folder: string, name: string, version: string) => {
  const files = join(folder, name);
  /** The files of threads, which the bundle loads when it needs them. */
  const others = readdirSync(files).filter((file) => /\.(mjs|wasm)$/.test(file) && file !== 'index.mjs');
  return {
    type: 'application',
    'bom-ref': bundleReference(name),
    name,
    version,
    description: 'Lambda function',
    hashes: [hashFile(join(files, 'index.mjs'))],
    ...(others.length === 0
      ? {}
      : { components: others.toSorted().map((file) => fileComponent(files, file)) }),
  };
};

const consoleComponent = (folder: string, version: string) => {
  const files = join(folder, 'get-console', 'console');
  const assets = readdirSync(join(files, 'assets'))
    .filter((name) => !/\.(br|gz)$/.test(name))
    .toSorted();
  return {
    type: 'application',
    'bom-ref': bundleReference(CONSOLE_BUNDLE),
    name: CONSOLE_BUNDLE,
    version,
    description: 'Web console, served by get-console',
    components: ['index.html', ...assets.map((name) => `assets/${name}`)].map((name) =>
      fileComponent(files, name),
    ),
  };
};

/** Derived from the content, so that the same bundles give the same document. */
const serialNumber = (content: unknown): string => {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hash.slice(20, 32)].join('-')}`;
};

/** Describes the packages in the bundles as a CycloneDX document. `builtAt` is in seconds. */
export const createSbom = (folder: string, builtAt?: number) => {
  const { bundles, imports } = loadContents(folder);
  const project = projectSchema.parse(readJson('package.json'));
  const lock = lockSchema.parse(readJson('package-lock.json'));
  const packages = new Map(
    [...new Set(Object.values(bundles).flat())].toSorted().map((path) => [path, readPackage(path)]),
  );
  const references = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => packages.get(path) ?? []).map(packageUrl);
  const root = `${project.name}@${project.version}`;
  const content = {
    components: [
      ...Object.keys(bundles).map((name) =>
        name === CONSOLE_BUNDLE
          ? consoleComponent(folder, project.version)
          : functionComponent(folder, name, project.version),
      ),
      ...Array.from(packages, ([path, shipped]) => packageComponent(shipped, lock.packages[path]?.integrity)),
    ],
    dependencies: [
      { ref: root, dependsOn: Object.keys(bundles).map(bundleReference) },
      // A bundle depends on every package whose code it contains.
      ...Object.entries(bundles).map(([name, paths]) => ({
        ref: bundleReference(name),
        dependsOn: references(paths),
      })),
      ...Array.from(packages, ([path, shipped]) => ({
        ref: packageUrl(shipped),
        dependsOn: references(imports[path] ?? []),
      })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(content),
    version: 1,
    metadata: {
      ...(builtAt === undefined ? {} : { timestamp: new Date(builtAt * 1000).toISOString() }),
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name: project.name,
        version: project.version,
        description: project.description,
        licenses: licenseChoice(project.license),
      },
    },
    ...content,
  };
};
