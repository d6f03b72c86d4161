import { DomainError, listed } from '../domain/errors.ts';
import { isOneOf } from '../domain/models.ts';

const ACTIONS = ['generateContent', 'streamGenerateContent'] as const;
type Action = (typeof ACTIONS)[number];

/** `{model}:{action}`: the gateway's routes cannot have a colon beside a parameter, so it is split here. */
const MODEL_ACTION = /^(.*)(?::|%3a)([^:]*)$/i;

export const readModelAction = (modelAction: string): { model: string; action: Action } => {
  const [, model = modelAction, action = ''] = MODEL_ACTION.exec(modelAction) ?? [];
  if (isOneOf(ACTIONS, action)) return { model, action };
  throw new DomainError('model_not_found', `What a model here can do is ${listed(ACTIONS)}.`);
};
