import { keepAliases } from '../../catalogue/domain/model-aliases.ts';
import { MODELS } from '../../catalogue/domain/models.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { type Catalogue, listNames, modelList, modelObject } from './models.ts';
import { nativeModel, nativeModelList } from './native-models.ts';

/** The examples of the OpenAPI document: all that the deployment offers, with a few of the aliases. */
const ALIASES = keepAliases(['sora-2', 'gpt-image-1']);

export const COMPLETE_UPSTREAM: Upstream = {
  name: 'example',
  kind: 'gemini',
  baseUrl: 'https://generator.example.com',
  keyHeader: 'x-api-key',
  models: Object.fromEntries(MODELS.map((model) => [model, model])),
  priority: 1,
  weight: 1,
};

const singleExamples = <Shown>(
  catalogue: Catalogue,
  show: (name: ReturnType<typeof listNames>[number]) => Shown,
): Readonly<Record<string, Shown>> => {
  const names = listNames(catalogue);
  const own = names.findLast(({ name, model }) => name === model);
  const alias = names.findLast(({ name, model }) => name !== model);
  return {
    ...(own === undefined ? {} : { model: show(own) }),
    ...(alias === undefined ? {} : { alias: show(alias) }),
  };
};

/** By the id of their operation. */
export const modelExamples = (upstreams: readonly Upstream[]) => {
  const catalogue = { aliases: ALIASES, upstreams };
  return {
    listNativeModels: { models: nativeModelList(catalogue, () => undefined) },
    getNativeModel: singleExamples(catalogue, (name) => nativeModel(catalogue, name)),
    listModels: { models: modelList(catalogue) },
    getModel: singleExamples(catalogue, (name) => modelObject(catalogue, name)),
  };
};
