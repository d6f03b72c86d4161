import { DomainError, listed, noEndpoint } from '../../platform/domain/errors.ts';
import type { Feature } from '../../platform/domain/features.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { VIDEO_MODELS } from '../domain/models.ts';
import { notTheModel } from './model-field.ts';

const CORE_ACTIONS = ['generateContent', 'streamGenerateContent'] as const;
const IMAGE_ACTIONS = [...CORE_ACTIONS, 'predict'] as const;
export type ImageAction = (typeof IMAGE_ACTIONS)[number];

/** This action has a route for each name of its models, and a function of its own. */
const PREDICT_LONG_RUNNING = 'predictLongRunning';

/** A model and its action. The colon can be URL-encoded. */
const MODEL_ACTION = /^(.*)(?::|%3a)(.*)$/is;

/** Splits `{model}:{action}`, because a route of API Gateway cannot have a colon next to a parameter. */
export const splitModelAction = (
  modelAction: string,
): { readonly model: string; readonly action: string } | undefined => {
  const [, model, action] = MODEL_ACTION.exec(modelAction) ?? [];
  return model === undefined || action === undefined ? undefined : { model, action };
};

const unknownModel = (message: string): DomainError => new DomainError('model_not_found', message);

export const unknownAction = (): DomainError =>
  unknownModel(
    `The supported actions are ${listed(IMAGE_ACTIONS)} for images and ${PREDICT_LONG_RUNNING} for videos.`,
  );

export const readImageAction = (
  modelAction: string,
  features: readonly Feature[],
): { readonly model: string; readonly action: ImageAction } => {
  const { model, action = '' } = splitModelAction(modelAction) ?? {};
  const hasGoogle = features.includes('google');
  const actions = hasGoogle ? IMAGE_ACTIONS : CORE_ACTIONS;
  if (model !== undefined && isOneOf(actions, action)) return { model, action };
  if (!hasGoogle) throw noEndpoint();
  // The names of its models have their own routes, so this is none of them.
  if (action === PREDICT_LONG_RUNNING)
    throw unknownModel(`${PREDICT_LONG_RUNNING} generates videos: model ${notTheModel(VIDEO_MODELS)}`);
  throw unknownAction();
};

/** The model in the last part of a route such as `/v1beta/models/NAME:predictLongRunning`. */
export const readRouteModel = (route: string): string =>
  MODEL_ACTION.exec(route.slice(route.lastIndexOf('/') + 1))?.[1] ?? '';
