/** The routes that hold a function for as long as an image takes: they have limits of their own. */
export const IMAGE_ROUTES = {
  chat: '/v1/chat/completions',
  // A path part cannot be `{model}:generateContent`, so the function splits it.
  native: '/v1beta/models/{modelAction}',
} as const;
