import {
  type Attributes,
  boolean,
  map,
  oneOf,
  optional,
  text,
  texts,
  time,
} from '../../platform/aws/attributes.ts';
import type { SealedText } from '../../platform/aws/sealed-text.ts';
import {
  DISABLED_REASONS,
  WEBHOOK_EVENT_TYPES,
  type WebhookDescription,
  type WebhookEndpoint,
} from '../domain/webhooks.ts';

/** An endpoint as DynamoDB holds it: its properties are the attributes, its secrets are sealed. */

const readDisabled = (item: Attributes): WebhookDescription['disabled'] => {
  const disabled = optional(item, 'disabled', map);
  return disabled && { at: time(disabled, 'at'), reason: oneOf(disabled, 'reason', DISABLED_REASONS) };
};

export const readDescription = (item: Attributes): WebhookDescription =>
  ({
    id: text(item, 'id'),
    account: text(item, 'account'),
    name: text(item, 'name'),
    url: text(item, 'url'),
    eventTypes: texts(item, 'eventTypes', WEBHOOK_EVENT_TYPES),
    secretHint: text(item, 'secretHint'),
    createdAt: time(item, 'createdAt'),
    updatedAt: time(item, 'updatedAt'),
    failingSince: optional(item, 'failingSince', time),
    respondsQuickly: optional(item, 'respondsQuickly', boolean),
    disabled: readDisabled(item),
  }) satisfies { readonly [Property in keyof Required<WebhookDescription>]: WebhookDescription[Property] };

/** A secret opens for its own endpoint alone. */
export const placeOf = ({ account, id }: Pick<WebhookEndpoint, 'account' | 'id'>): readonly string[] => [
  'webhook',
  account,
  id,
];

export const readEndpoint = async (item: Attributes, sealed: SealedText): Promise<WebhookEndpoint> => {
  const { secretHint: _, ...description } = readDescription(item);
  const place = placeOf(description);
  const old = optional(item, 'oldSecret', text);
  return {
    ...description,
    secret: await sealed.open(text(item, 'secret'), place),
    oldSecret:
      old === undefined
        ? undefined
        : { value: await sealed.open(old, place), until: time(item, 'oldSecretUntil') },
  };
};
