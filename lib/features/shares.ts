import type * as CreateShare from '../../functions/shares/create-share.ts';
import type * as GetShare from '../../functions/shares/get-share.ts';
import type * as GetShareContent from '../../functions/shares/get-share-content.ts';
import type * as ListShares from '../../functions/shares/list-shares.ts';
import type * as RevokeShare from '../../functions/shares/revoke-share.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

/** Links to single videos and images, and the pages that they open. */
export const addShares = (resources: Resources): void => {
  addOwnerRoutes(resources);
  addVisitorRoutes(resources);
};

const addOwnerRoutes = ({ config, functions, api, keys, shares, tasks, files, audit }: Resources): void => {
  const key = keys.find();
  const create = functions.endpoint<typeof CreateShare>(
    'create-share',
    'Creates a share link',
    allOf(
      key,
      shares.add(),
      tasks.find(),
      files.use(),
      audit.add(),
      settings({ PUBLIC_BASE_URL: publicAddress(config) }),
    ),
  );
  const list = functions.endpoint<typeof ListShares>(
    'list-shares',
    'Lists share links',
    allOf(key, shares.list()),
  );
  const revoke = functions.endpoint<typeof RevokeShare>(
    'revoke-share',
    'Revokes a share link',
    allOf(key, shares.revoke(), audit.add()),
  );

  api.route('POST', '/v1/shares', create);
  api.route('GET', '/v1/shares', list);
  api.route('DELETE', '/v1/shares/{share_id}', revoke);
};

/** These need no key and can only read. */
const addVisitorRoutes = ({ functions, api, shares, members, tasks, files, media }: Resources): void => {
  const items = allOf(shares.find(), members.find(), tasks.find(), files.use(), media.host());
  const page = functions.endpoint<typeof GetShare>('get-share', 'Shows a shared video or image', items);
  const content = functions.endpoint<typeof GetShareContent>(
    'get-share-content',
    'Redirects to a shared video or image',
    allOf(items, media.serveVideos(), media.serveFiles()),
  );

  api.route('GET', '/s/{token}', page, { throttle: 'public' });
  api.route('GET', '/s/{token}/content', content, { throttle: 'public' });
};
