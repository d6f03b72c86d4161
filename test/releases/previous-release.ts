import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { assetManifestSchema, type Template, templateSchema } from '../../lib/local/template/template.ts';
import { functionPermissions } from './release-permissions.ts';

const FILE = join(import.meta.dirname, 'previous-release.json.br');

const functionSchema = z.object({
  /** Unresolved, since a published version keeps its variables, which refer to other resources. */
  environment: z.unknown(),
  code: z.string(),
  /** Both versions of a function have the role of the stack, so the next release must not take these away. */
  permissions: z.array(z.string()).default([]),
});

/** The gradually deployed functions of the previous release, by logical id. */
const releaseSchema = z.object({ version: z.string(), functions: z.record(z.string(), functionSchema) });
type Release = z.infer<typeof releaseSchema>;

export const readRelease = async (): Promise<Release> =>
  releaseSchema.parse(JSON.parse(brotliDecompressSync(await readFile(FILE)).toString()));

/** Bundles share most of their code; a window that spans all of them stores it once. */
export const writeRelease = (release: Release): Promise<void> =>
  writeFile(
    FILE,
    brotliCompressSync(JSON.stringify(release), {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      },
    }),
  );

const codeSchema = z.looseObject({ Code: z.looseObject({ S3Key: z.string() }), Environment: z.unknown() });
const aliasSchema = z.object({ FunctionName: z.object({ Ref: z.string() }) });

const gradualFunctions = (template: Template): string[] =>
  Object.values(template.Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Alias')
    .map(({ Properties }) => aliasSchema.parse(Properties).FunctionName.Ref);

/** Reads the gradually deployed functions of a synthesized stack. */
export const recordStack = async (stack: string, version: string): Promise<Release> => {
  const template = templateSchema.parse(JSON.parse(await readFile(`${stack}.template.json`, 'utf8')));
  const { files } = assetManifestSchema.parse(JSON.parse(await readFile(`${stack}.assets.json`, 'utf8')));
  const folders = new Map(
    Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, source.path] as const),
    ),
  );
  const functions: Release['functions'] = {};
  for (const logicalId of gradualFunctions(template)) {
    const { Code, Environment } = codeSchema.parse(template.Resources[logicalId]?.Properties);
    const bundle = join(dirname(stack), folders.get(Code.S3Key) ?? '', 'index.mjs');
    functions[logicalId] = {
      environment: Environment,
      code: await readFile(bundle, 'utf8'),
      permissions: functionPermissions(template, logicalId),
    };
  }
  return { version, functions };
};

/** Returns a stack with the functions of the release, as after a rollback. */
export const withRelease = async (
  files: { readonly templateFile: string; readonly assetsFile: string },
  release: Release,
  folder: string,
): Promise<{ templateFile: string; assetsFile: string }> => {
  const template = templateSchema.parse(JSON.parse(await readFile(files.templateFile, 'utf8')));
  const manifest = assetManifestSchema.parse(JSON.parse(await readFile(files.assetsFile, 'utf8')));
  const gradual = gradualFunctions(template);
  const assets: (typeof manifest)['files'] = Object.fromEntries(
    Object.entries(manifest.files).map(([id, asset]) => [
      id,
      asset.source.path === undefined
        ? asset
        : {
            ...asset,
            source: { ...asset.source, path: resolve(dirname(files.assetsFile), asset.source.path) },
          },
    ]),
  );
  for (const [logicalId, { environment, code }] of Object.entries(release.functions)) {
    const resource = template.Resources[logicalId];
    if (resource === undefined || !gradual.includes(logicalId))
      throw new Error(`the stack has no gradual function ${logicalId}, which release ${release.version} has`);
    const bundle = join(folder, 'previous', logicalId);
    await mkdir(bundle, { recursive: true });
    await writeFile(join(bundle, 'index.mjs'), code);
    const objectKey = `${logicalId}.zip`;
    assets[logicalId] = { source: { path: bundle }, destinations: { previous: { objectKey } } };
    Object.assign(resource.Properties, {
      Code: { S3Key: objectKey },
      Environment: environment,
    });
  }
  // The file name is the stack name, which is part of the table names.
  const templateFile = join(folder, 'previous', basename(files.templateFile));
  const assetsFile = join(folder, 'previous', basename(files.assetsFile));
  await writeFile(templateFile, JSON.stringify(template));
  await writeFile(assetsFile, JSON.stringify({ ...manifest, files: assets }));
  return { templateFile, assetsFile };
};
