import { withOwnModel } from '../../functions/catalogue/api/model-field.ts';
import { BUILT_IN_ALIASES } from '../../functions/catalogue/domain/model-aliases.ts';
import type { BodyFields } from '../../functions/platform/body/fields.ts';

/** The body with this service's name of its model, as handlers replace it without any setting. */
export const withKnownModel = (body: BodyFields): BodyFields =>
  withOwnModel({ aliases: BUILT_IN_ALIASES, defaults: {} }, 'video', body, () => {});
