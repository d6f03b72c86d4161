import { ORPHAN_AGE } from '../../billing/domain/limits.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { imageFileId, type ResponseRepository } from '../domain/response.ts';
import { findResponse } from './read-response.ts';

type Dependencies = {
  readonly responses: ResponseRepository;
  /** Deletes the file of an image; a file that is gone is "not found". */
  readonly deleteFile: (fileId: string) => Promise<void>;
  readonly now: Clock;
};

const isGone = (error: unknown): boolean => error instanceof DomainError && error.code === 'file_not_found';

/** Deletes the image and the response. The charge remains. */
export const deleteResponse = async (
  dependencies: Dependencies,
  account: string,
  id: string,
): Promise<void> => {
  const { responses, deleteFile, now } = dependencies;
  const response = await findResponse(dependencies, account, id);
  const { claim } = response;
  const result = claim.results.get(0);
  if (result === undefined && now() < claim.at + ORPHAN_AGE.images)
    throw new DomainError(
      'request_in_progress',
      `Response ${id} is in progress and will be charged when it completes; it can be deleted once it has ended.`,
    );
  if (result?.outcome === 'image')
    await deleteFile(imageFileId(claim)).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  await responses.remove(response);
};
