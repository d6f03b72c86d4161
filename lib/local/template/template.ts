import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LocalCloudError } from '../local-cloud-error.ts';
import { refuseCircles } from './circles.ts';
import { assetManifestSchema, type Template, templateSchema } from './schema.ts';

export type SynthesizedStack = {
  readonly template: Template;
  /** Where the file that a deployment would upload under this object key lies now. */
  readonly assetPath: (objectKey: string) => string | undefined;
};

export type TemplateFiles = {
  readonly templateFile: string;
  /** Written by the synthesis beside the template; asset paths are relative to it. */
  readonly assetsFile?: string;
};

export const readSynthesizedStack = async ({
  templateFile,
  assetsFile,
}: TemplateFiles): Promise<SynthesizedStack> => {
  const manifestFile = assetsFile ?? templateFile.replace(/\.template\.json$/, '.assets.json');
  const [template, manifest] = await Promise.all([readJson(templateFile), readJson(manifestFile)]);
  const paths = new Map<string, string>();
  for (const { source, destinations } of Object.values(assetManifestSchema.parse(manifest).files)) {
    for (const { objectKey } of Object.values(destinations)) {
      if (source.path !== undefined) paths.set(objectKey, resolve(dirname(manifestFile), source.path));
    }
  }
  const parsed = templateSchema.parse(template);
  refuseCircles(parsed);
  return { template: parsed, assetPath: (objectKey) => paths.get(objectKey) };
};

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new LocalCloudError(`Cannot read ${file} of the synthesized stack.`, { cause });
  }
};
