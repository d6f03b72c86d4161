import { shortened, UpstreamError } from './upstream-error.ts';

// Any model of these families will do: a sample is a sample.
const FAMILIES = {
  video: (model: string) => /^(?:veo|video)-[\w.-]+$/.test(model),
  image: (model: string) => model.includes('image') && /^[\w.-]+$/.test(model),
} as const;

export const requireModel = (
  model: string | undefined,
  medium: keyof typeof FAMILIES,
  method: string,
): string => {
  if (model !== undefined && FAMILIES[medium](model)) return model;
  throw new UpstreamError(
    404,
    `models/${shortened(model ?? '')} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );
};
