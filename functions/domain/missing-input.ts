/** An input image that a task names is not in the store: trying again cannot help. */
export class MissingInput extends Error {
  override readonly name = 'MissingInput';
}
