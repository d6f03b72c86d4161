import { notTheModel } from '../../platform/body/model.ts';
import { DomainError, listed } from '../../platform/domain/errors.ts';
import { isOneOf, VIDEO_MODELS } from '../../platform/domain/models.ts';

const IMAGE_ACTIONS = ['generateContent', 'streamGenerateContent'] as const;
export const VIDEO_ACTION = 'predictLongRunning';

/** A colon may come encoded. */
const SEPARATORS = [':', '%3a', '%3A'];

const splitAction = (modelAction: string): readonly [model: string, action: string] | undefined => {
  for (const separator of SEPARATORS) {
    const at = modelAction.lastIndexOf(separator);
    if (at !== -1) return [modelAction.slice(0, at), modelAction.slice(at + separator.length)];
  }
  return undefined;
};

/** `{model}:{action}`: the gateway's routes cannot have a colon beside a parameter, so it is split here. */
export const readImageAction = (
  modelAction: string,
): { readonly model: string; readonly action: (typeof IMAGE_ACTIONS)[number] } => {
  const [model, action] = splitAction(modelAction) ?? [];
  if (model !== undefined && isOneOf(IMAGE_ACTIONS, action)) return { model, action };
  // The models that make videos have routes of their own, so that this is another model.
  if (action === VIDEO_ACTION)
    throw new DomainError(
      'model_not_found',
      `${VIDEO_ACTION} makes videos: model ${notTheModel(VIDEO_MODELS)}`,
    );
  throw new DomainError(
    'model_not_found',
    `What a model here can do is ${listed(IMAGE_ACTIONS)} for images and ${VIDEO_ACTION} for videos.`,
  );
};

/** The model in the last part of a route such as `/v1beta/models/NAME:predictLongRunning`. */
export const modelOfRoute = (route: string): string =>
  splitAction(route.slice(route.lastIndexOf('/') + 1))?.[0] ?? '';
