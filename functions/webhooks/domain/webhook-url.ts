import { checkPublicUrl, type PublicUrlRules } from '../../platform/domain/public-url.ts';

export const MAX_WEBHOOK_URL = 2048;

/** A problem completes a sentence that begins with the name of the field. */
export const checkWebhookUrl = (text: string, rules: PublicUrlRules): ReturnType<typeof checkPublicUrl> =>
  checkPublicUrl(text, {
    ...rules,
    maxLength: MAX_WEBHOOK_URL,
    example: 'https://hooks.example.com/videos',
    allowFragment: false,
    allowAnyPort: true,
  });
