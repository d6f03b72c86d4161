import type { GeneratedImage } from '../domain/image-request.ts';
import { IMAGE_MODEL } from '../domain/models.ts';

/** The upstream's own answer, under the name by which the client knows the model. */
export const nativeAnswer = ({ document }: GeneratedImage) => ({ ...document, modelVersion: IMAGE_MODEL });
