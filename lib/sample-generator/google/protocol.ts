import type { Exchange, Generator } from '../exchange.ts';
import { findRetirement, isInFamily } from '../models.ts';
import type { Operation } from '../operations.ts';
import type { VideoFile } from '../padded-media.ts';
import type { Medium } from '../test-prompts.ts';
import type { UpstreamError } from '../upstream-error.ts';

/** The differences between the Gemini API and Vertex AI. */
export type GoogleProtocol = {
  readonly kind: 'gemini' | 'vertex';
  readonly operationName: (operation: Operation) => string;
  readonly toVideo: (operation: Operation, sample: number, file: VideoFile, generator: Generator) => object;
  /** Without videos the operation ends empty. */
  readonly toResult: (result: {
    readonly videos?: readonly object[];
    readonly filtered?: readonly string[];
  }) => object;
  readonly unknownModel: (model: string, method: string) => UpstreamError;
  readonly retiredModel: (model: string, replacement: string | null) => UpstreamError;
};

/** The method that creates each medium, as the metadata of a model lists it. */
export const METHODS = { video: 'predictLongRunning', image: 'generateContent' } as const;

/** The model that the path of a create request names. */
export const requireModel = (
  { unknownModel, retiredModel }: GoogleProtocol,
  { groups, generator }: Exchange,
  medium: Medium,
): string => {
  const { model = '' } = groups;
  const retirement = findRetirement(generator, model);
  if (retirement !== undefined) throw retiredModel(model, retirement.replacement);
  if (!isInFamily(medium, model)) throw unknownModel(model, METHODS[medium]);
  return model;
};
