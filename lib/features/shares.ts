import { SHARE_ENDPOINTS } from '../../functions/shares/api/endpoints.ts';
import type * as CreateShare from '../../functions/shares/create-share.ts';
import type * as GetShare from '../../functions/shares/get-share.ts';
import type * as ListShares from '../../functions/shares/list-shares.ts';
import type * as RevokeShare from '../../functions/shares/revoke-share.ts';
import { allOf, ifIncluded } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import type { ShareTable } from '../resources/tables.ts';

/** Links to videos, images and collections, and the pages that they open. */
export const addShares = (resources: Resources): void => {
  const { shares } = resources;
  if (shares === undefined) return;
  addOwnerRoutes(resources, shares);
  addVisitorRoutes(resources, shares);
};

const addOwnerRoutes = (
  { address, serve, keys, tasks, files, audit }: Resources,
  shares: ShareTable,
): void => {
  const key = keys.find();
  serve<typeof CreateShare>(
    'create-share',
    allOf(key, shares.add(), tasks.find(), files.use(), audit.add(), address),
  );
  serve<typeof ListShares>('list-shares', allOf(key, shares.list()));
  serve<typeof RevokeShare>('revoke-share', allOf(key, shares.revoke(), audit.add()));
};

/** These need no key and can only read. */
const addVisitorRoutes = ({ serve, members, tasks, files, media }: Resources, shares: ShareTable): void => {
  serve<typeof GetShare>(
    ['get-share', SHARE_ENDPOINTS.openShare, SHARE_ENDPOINTS.getShareContent],
    allOf(
      shares.find(),
      ifIncluded(members?.find()),
      tasks.find(),
      files.use(),
      media.host(),
      media.serveVideos(),
      media.serveFiles(),
    ),
  );
};
