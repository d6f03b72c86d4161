import { DomainError } from '../domain/errors.ts';

/** Thumbnails and sprite sheets are not made here. */
export const requireVideoVariant = (variant: string | undefined): void => {
  if (variant === undefined || variant === 'video') return;
  throw new DomainError(
    'not_offered',
    'variant must be video: thumbnails and spritesheets are not supported.',
    {
      param: 'variant',
    },
  );
};
