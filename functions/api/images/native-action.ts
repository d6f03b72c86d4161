import { DomainError, listed } from '../../domain/errors.ts';
import { isOneOf } from '../../domain/models.ts';

const ACTIONS = ['generateContent', 'streamGenerateContent'] as const;
type Action = (typeof ACTIONS)[number];

/** A colon may come encoded. */
const SEPARATORS = [':', '%3a', '%3A'];

/** `{model}:{action}`: the gateway's routes cannot have a colon beside a parameter, so it is split here. */
export const readModelAction = (modelAction: string): { model: string; action: Action } => {
  for (const separator of SEPARATORS) {
    const at = modelAction.lastIndexOf(separator);
    const action = modelAction.slice(at + separator.length);
    if (at !== -1 && isOneOf(ACTIONS, action)) return { model: modelAction.slice(0, at), action };
  }
  throw new DomainError('model_not_found', `What a model here can do is ${listed(ACTIONS)}.`);
};
