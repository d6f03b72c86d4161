import { withLargeRequests, withoutPrices } from '../../support/assembly.ts';
import { openOwnService } from '../../support/open-service.ts';

/** Takes large requests, and has no prices. */
export const service = await openOwnService({
  changeTemplate: (template) => withoutPrices(withLargeRequests(template)),
});
