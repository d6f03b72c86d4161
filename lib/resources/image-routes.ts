/** A path part cannot be `{model}:generateContent`, so the function splits it; a model alone takes the same part. */
export const NATIVE_MODEL_ROUTE = '/v1beta/models/{modelAction}';

/** The routes that hold a function for as long as an image takes: they have limits of their own. */
export const IMAGE_ROUTES = {
  chat: '/v1/chat/completions',
  generations: '/v1/images/generations',
  edits: '/v1/images/edits',
  native: NATIVE_MODEL_ROUTE,
} as const;
