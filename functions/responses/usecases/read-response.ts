import { ORPHAN_AGE } from '../../billing/domain/limits.ts';
import type { FileReader } from '../../files/domain/files.ts';
import { fromResult, type MadeImage } from '../../images/domain/kept-image.ts';
import { type ErrorCode, invalidField, notFound } from '../../platform/domain/errors.ts';
import { RESPONSE_ID } from '../../platform/domain/ids.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import {
  imageFileId,
  type ResponseRepository,
  type ResponseStatus,
  type StoredResponse,
} from '../domain/response.ts';

type Lookup = { readonly responses: Pick<ResponseRepository, 'find'>; readonly now: Clock };
type Reading = Lookup & { readonly files: FileReader };

const findIfStored = async (
  { responses, now }: Lookup,
  account: string,
  id: string,
): Promise<StoredResponse | undefined> => {
  const found = RESPONSE_ID.test(id) ? await responses.find(account, id) : undefined;
  return found !== undefined && found.claim.expiresAt > now() ? found : undefined;
};

/** A response of another account, a deleted or expired one and one that never existed are all "not found". */
export const findResponse = async (lookup: Lookup, account: string, id: string): Promise<StoredResponse> => {
  const found = await findIfStored(lookup, account, id);
  if (found === undefined) throw notFound('Response', id, 'response_id');
  return found;
};

export type ReadResponse = {
  readonly response: StoredResponse;
  readonly status: ResponseStatus;
  readonly image?: MadeImage;
  readonly completedAt?: number;
  readonly failure?: { readonly code: ErrorCode; readonly message: string };
};

const INTERRUPTED = {
  code: 'internal',
  message: 'The request ended before its image was complete.',
} as const;

/** The image is in its file: without it, the response is gone. */
export const readResponse = async (reading: Reading, account: string, id: string): Promise<ReadResponse> => {
  const response = await findResponse(reading, account, id);
  const { claim } = response;
  const result = claim.results.get(0);
  if (result === undefined)
    return reading.now() < claim.at + ORPHAN_AGE.images
      ? { response, status: 'in_progress' }
      : { response, status: 'failed', failure: INTERRUPTED };
  if (result.outcome === 'failed') return { response, status: 'failed', failure: result };
  const file = await reading.files.openFile({ account, id: imageFileId(claim) });
  if (file === undefined) throw notFound('Response', id, 'response_id');
  const image = fromResult(claim, 0, await file.read());
  return { response, status: 'completed', image, completedAt: result.completedAt };
};

const PREVIOUS = 'previous_response_id';

/** The file of the image that the next turn edits. */
export const previousImage = async (lookup: Lookup, account: string, id: string): Promise<string> => {
  const found = await findIfStored(lookup, account, id);
  if (found === undefined) throw invalidField(PREVIOUS, `${PREVIOUS}: response ${id} was not found.`);
  if (found.claim.results.get(0)?.outcome !== 'image')
    throw invalidField(PREVIOUS, `${PREVIOUS}: response ${id} has no image.`);
  return imageFileId(found.claim);
};
