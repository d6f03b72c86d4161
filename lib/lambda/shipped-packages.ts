import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';

const PROJECT = join(import.meta.dirname, '..', '..');

/** The npm packages whose code is in the bundles, as the bundler reports them. */
const contentsSchema = z.object({
  /** Package folders, such as `node_modules/zod`, by function (or console). */
  bundles: z.record(z.string(), z.array(z.string())),
  /** Package folders by the folder of the importing package. */
  imports: z.record(z.string(), z.array(z.string())),
});

export type BundleContents = z.infer<typeof contentsSchema>;

/** Stored next to the bundles and not deployed. */
const CONTENTS_FILE = 'contents.json';

/** The innermost package of a path. Paths of the console begin with `../`. */
const packageFolder = (path: string): string | undefined =>
  /^(?:\.\.\/)*((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].toSorted();

/** What the bundler reports about one run, and the bundle to which each of its outputs belongs. */
export type Built = { readonly metafile: Metafile; readonly bundleName: (output: string) => string };

/** The packages in an output. Files that the bundler dropped entirely are not shipped. */
const shippedPackages = ({ inputs }: Metafile['outputs'][string]): string[] =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => packageFolder(path) ?? []);

/** Includes imports of dropped files, since an index file without output still links one package to another. */
const shippedImports = ({ metafile: { inputs, outputs } }: Built) => {
  const shipped = new Set(Object.values(outputs).flatMap(shippedPackages));
  return Object.entries(inputs)
    .flatMap(([file, { imports }]) =>
      imports.map(({ path }) => ({ importer: packageFolder(file), imported: packageFolder(path) ?? '' })),
    )
    .filter(({ importer, imported }) => importer !== imported && shipped.has(imported));
};

/** A bundle can come from several runs, such as that of a function and that of its thread. */
export const readContents = (builds: readonly Built[]): BundleContents => {
  const outputs = builds.flatMap(({ metafile, bundleName }) =>
    Object.entries(metafile.outputs).map(([path, output]) => ({
      name: bundleName(path),
      packages: shippedPackages(output),
    })),
  );
  const byBundle = Map.groupBy(outputs, ({ name }) => name);
  const byImporter = Map.groupBy(builds.flatMap(shippedImports), ({ importer }) => importer);
  return {
    bundles: Object.fromEntries(
      sorted(byBundle.keys()).map((name) => [
        name,
        sorted(byBundle.get(name)?.flatMap(({ packages }) => packages) ?? []),
      ]),
    ),
    imports: Object.fromEntries(
      sorted(outputs.flatMap(({ packages }) => packages)).map((folder) => [
        folder,
        sorted(byImporter.get(folder)?.map(({ imported }) => imported) ?? []),
      ]),
    ),
  };
};

export const writeContents = (folder: string, contents: BundleContents): void =>
  writeFileSync(join(folder, CONTENTS_FILE), JSON.stringify(contents));

export const loadContents = (folder: string): BundleContents =>
  contentsSchema.parse(JSON.parse(readFileSync(join(folder, CONTENTS_FILE), 'utf8')));

/** Packages from before 2015 have a list of licenses. */
const manifestSchema = z.union([
  z.object({ name: z.string(), version: z.string(), license: z.string() }),
  z
    .object({
      name: z.string(),
      version: z.string(),
      licenses: z.tuple([z.object({ type: z.string() })]),
    })
    .transform(({ licenses: [{ type }], ...rest }) => ({ ...rest, license: type })),
]);

export type ShippedPackage = z.infer<typeof manifestSchema> & {
  readonly folder: string;
  /** The texts of the package's license and notices. */
  readonly texts: readonly string[];
};

const LEGAL_FILE = /^(licen[cs]e|notice|copying)(\.codec)?(\.(md|txt))?$/i;

/** A wasm codec has the license of the library that it was compiled from in `codec`. */
const legalFiles = (path: string): string[] =>
  [path, join(path, 'codec')].filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => LEGAL_FILE.test(name))
      .toSorted()
      .map((name) => join(folder, name)),
  );

export const readPackage = (folder: string): ShippedPackage => {
  const path = join(PROJECT, folder);
  const manifest = manifestSchema.safeParse(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
  if (!manifest.success) throw new Error(`${folder}/package.json has no name, version or license`);
  const texts = legalFiles(path).map((name) => readFileSync(name, 'utf8').replaceAll('\r\n', '\n').trim());
  return { ...manifest.data, folder, texts };
};

/** Deployed with every function; comments in the bundles would slow down their start. */
export const LICENSES_FILE = 'THIRD_PARTY_LICENSES.txt';

const INTRODUCTION = 'This software contains code from the following npm packages, under the licenses below.';
const LINE = '-'.repeat(80);

const title = ({ name, version, license }: ShippedPackage): string => `${name} ${version} (${license})`;

/** Packages with the same license text share one section. */
export const licenseNotices = (folders: readonly string[]): string => {
  const byText = Map.groupBy(folders.map(readPackage), ({ texts }) => texts.join('\n\n'));
  const sections = [...byText].map(([text, packages]) =>
    [LINE, ...packages.map(title), ...(text === '' ? [] : ['', text])].join('\n'),
  );
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
};
