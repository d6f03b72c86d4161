/** What a person can mend, told in one sentence: printed without a stack trace. */
export class LocalCloudError extends Error {
  override readonly name = 'LocalCloudError';
}

/** Reports an error inside the local cloud itself, where no caller is left to be told. */
export type OnError = (where: string, error: unknown) => void;
