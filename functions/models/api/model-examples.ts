import { keepAliases } from '../../catalogue/domain/model-aliases.ts';
import { MODELS } from '../../catalogue/domain/models.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { type Catalogue, listNames, modelList, modelObject } from './models.ts';
import { nativeModel, nativeModelList } from './native-models.ts';

const COMPLETE_UPSTREAM: Upstream = {
  name: 'example',
  kind: 'gemini',
  baseUrl: 'https://generator.example.com',
  keyHeader: 'x-api-key',
  models: Object.fromEntries(MODELS.map((model) => [model, model])),
  priority: 1,
  weight: 1,
};

/** Everything is offered, with a few of the aliases. */
const CATALOGUE: Catalogue = {
  aliases: keepAliases(['sora-2', 'gpt-image-1']),
  upstreams: [COMPLETE_UPSTREAM],
};

const singleExamples = <Shown>(
  show: (name: ReturnType<typeof listNames>[number]) => Shown,
): Readonly<Record<string, Shown>> => {
  const names = listNames(CATALOGUE);
  const own = names.findLast(({ name, model }) => name === model);
  const alias = names.findLast(({ name, model }) => name !== model);
  return {
    ...(own === undefined ? {} : { model: show(own) }),
    ...(alias === undefined ? {} : { alias: show(alias) }),
  };
};

/** By the id of their operation. */
export const MODEL_EXAMPLES = {
  listNativeModels: { models: nativeModelList(CATALOGUE, () => undefined) },
  getNativeModel: singleExamples((name) => nativeModel(CATALOGUE, name)),
  listModels: { models: modelList(CATALOGUE) },
  getModel: singleExamples((name) => modelObject(CATALOGUE, name)),
};
