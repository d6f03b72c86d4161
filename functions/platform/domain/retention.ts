/**
 * Videos and generated images are stored for a limited time, unless somebody keeps them. A kept item has this as the
 * time of its end, so that every comparison with the end of an item is right without asking whether it is kept.
 */
export const NEVER = Date.UTC(9999, 11, 31);

export const isKept = ({ expiresAt }: { readonly expiresAt?: number | undefined }): boolean =>
  expiresAt === NEVER;

/** The bucket deletes objects with this tag by age. All videos and files begin with it; keeping one removes it. */
export const LIMITED = { name: 'retention', value: 'limited' } as const;

/** A request ends before this time, so that nobody else changes the same object until then. */
export const RETENTION_CLAIM = 60_000;
