/** What a person can mend, told in one sentence: printed without a stack trace. */
export class LocalCloudError extends Error {
  override readonly name = 'LocalCloudError';
}
